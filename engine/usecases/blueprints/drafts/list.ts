import { sql } from 'kysely';
import { compileOnce } from '../../../../db/compiled.ts';
import type { BlueprintStatus } from '../../../../db/entities/blueprint.ts';
import { byMode } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../platform/context.ts';
import { type BlueprintRow, blueprintsOf, statusIn } from './row.ts';
import { hasTag, type TagUse, tagUses } from './tags.ts';

export type BlueprintFilter = {
  /** Rows to return, 1 to 1,000. One more is read, to detect a further page. */
  limit: number;
  after: { createdAt: string; id: string } | null;
  status?: BlueprintStatus | undefined;
  thesisId?: string | undefined;
};

/** A blueprint in a list, before its graph is read. */
export type BlueprintHead = Pick<BlueprintRow, 'id' | 'created_at'>;

/** The account's blueprints without their graphs, newest first: at most `limit + 1` rows. */
export const blueprintHeads = (work: Work, filter: BlueprintFilter): Promise<BlueprintHead[]> =>
  work.db
    .selectFrom(filtered(work, filter).as('b'))
    .select(['b.id', 'b.created_at'])
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(filter.limit + 1)
    .execute();

/** The most blueprints whose graphs are read at once. */
export const GRAPHS_AT_ONCE_MAX = 20;

/** The account's blueprints in full, newest first: at most `limit + 1` rows, for a limit of up to {@link GRAPHS_AT_ONCE_MAX}. */
export async function newestBlueprints(
  { db, accountId, mode }: Work,
  { limit, after, ...filters }: BlueprintFilter,
): Promise<BlueprintRow[]> {
  const read = NEWEST[mode][limit];
  if (read === undefined) throw new Error(`${limit} graphs are too many to read at once.`);
  return read(db, { accountId, createdAt: after?.createdAt, id: after?.id, ...filters });
}

type NewestValues = Omit<BlueprintFilter, 'limit' | 'after'> &
  Record<'createdAt' | 'id', string | undefined> & { accountId: string };

/** By mode and limit: PostgreSQL plans a statement with a limit parameter at each call. */
const NEWEST = byMode((mode) =>
  Array.from({ length: GRAPHS_AT_ONCE_MAX + 1 }, (_, limit) =>
    compileOnce<NewestValues, BlueprintRow>((db, { accountId, createdAt, id, ...filters }) =>
      filtered({ db, accountId, mode }, { ...filters, after: createdAt && id ? { createdAt, id } : null })
        .orderBy('b.created_at', 'desc')
        .orderBy('b.id', 'desc')
        .limit(sql.lit(limit + 1))
        .compile(),
    ),
  ),
);

/** These blueprints in full, newest first, except those that were deleted or no longer match the filter. */
export async function listBlueprints(
  work: Work,
  heads: readonly BlueprintHead[],
  filter: Pick<BlueprintFilter, 'status' | 'thesisId'>,
): Promise<BlueprintRow[]> {
  if (heads.length === 0) return [];
  const ids = heads.map(({ id }) => id);
  return filtered(work, { ...filter, after: null })
    .where('b.id', 'in', ids)
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .execute();
}

function filtered(
  work: Pick<Work, 'db' | 'accountId' | 'mode'>,
  { status, thesisId, after }: Omit<BlueprintFilter, 'limit'>,
) {
  let query = blueprintsOf(work);
  if (status) query = query.where(statusIn(work.mode), '=', status);
  if (thesisId) query = query.where('b.thesis_id', '=', thesisId);
  if (after)
    query = query.where(
      sql<boolean>`(b.created_at, b.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    );
  return query;
}

/** A blueprint's name and status, without its graph. */
export type BlueprintName = Pick<
  BlueprintRow,
  'id' | 'name' | 'status' | 'deployment_id' | 'error' | 'updated_at' | 'tags'
>;

/** The account's blueprints by name, newest first: all of them, or those with a tag, in any case. */
export async function blueprintNames(work: Work, tag?: string): Promise<BlueprintName[]> {
  const rows = await work.db
    .selectFrom(blueprintsOf(work).as('b'))
    .select(['b.id', 'b.name', 'b.status', 'b.deployment_id', 'b.error', 'b.updated_at', 'b.tags'])
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .execute();
  return tag === undefined ? rows : rows.filter(({ tags }) => hasTag(tags, tag));
}

/** The tags of the account, each with the blueprints that have it. */
export const listTags = async (work: Work): Promise<TagUse[]> =>
  tagUses(
    await work.db
      .selectFrom('blueprint')
      .select(['id', 'tags'])
      .where('account_id', '=', work.accountId)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  );

import { sql } from 'kysely';
import type { BlueprintStatus } from '../../db/entities/blueprint.ts';
import type { Work } from '../context.ts';
import { type BlueprintRow, blueprintsOf, statusIn } from './row.ts';
import { hasTag, type TagUse, tagUses } from './tags.ts';

export type BlueprintFilter = {
  /** Rows to answer, 1 to 200; one more is read to tell whether there are others. */
  limit: number;
  after: { createdAt: string; id: string } | null;
  status?: BlueprintStatus | undefined;
  thesisId?: string | undefined;
};

/** The account's blueprints, newest first: at most `limit + 1` rows. */
export async function listBlueprints(work: Work, filter: BlueprintFilter): Promise<BlueprintRow[]> {
  let query = blueprintsOf(work)
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(filter.limit + 1);
  if (filter.status) query = query.where(statusIn(work.mode), '=', filter.status);
  if (filter.thesisId) query = query.where('b.thesis_id', '=', filter.thesisId);
  if (filter.after) {
    const { createdAt, id } = filter.after;
    query = query.where(sql<boolean>`(b.created_at, b.id) < (${createdAt}::timestamptz, ${id}::uuid)`);
  }
  return query.execute();
}

/** What a blueprint is called and how it is, without its drawing. */
export type BlueprintName = Pick<
  BlueprintRow,
  'id' | 'name' | 'status' | 'deployment_id' | 'error' | 'updated_at' | 'tags'
>;

/** The account's blueprints by name, newest first: all of them, or those with a tag, whatever its case. */
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

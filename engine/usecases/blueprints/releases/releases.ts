import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { type BlueprintRow, readBlueprint } from '../drafts/row.ts';
import { updateBlueprint } from '../drafts/update.ts';

/** The number of releases of a blueprint in a list, newest first: as many as are stored. */
export const RELEASES_MAX = 200;

export type ReleaseRow = {
  number: number;
  name: string;
  deployed_by: string;
  created_at: string;
};

/** Lists the releases of a blueprint that were deployed in the mode of the work, newest first. */
export async function listReleases(work: Work, blueprintId: string): Promise<ReleaseRow[]> {
  await readBlueprint(work, blueprintId);
  return work.db
    .selectFrom('release')
    .select(['number', 'name', 'deployed_by', 'created_at'])
    .where('account_id', '=', work.accountId)
    .where('blueprint_id', '=', blueprintId)
    .where(isOf(work.mode, 'release'))
    .orderBy('number', 'desc')
    .limit(RELEASES_MAX)
    .execute();
}

/** Whether a release was deployed in no other mode: each is deployed once. */
const isOf = (mode: Mode, release: string) => sql<boolean>`not exists (select from deployment d
  where d.account_id = ${sql.ref(`${release}.account_id`)} and d.blueprint_id = ${sql.ref(`${release}.blueprint_id`)}
    and d.release_number = ${sql.ref(`${release}.number`)} and d.mode <> ${mode})`;

/** Reads one release with its graph. */
export async function readRelease(
  work: Work,
  blueprintId: string,
  number: number,
): Promise<ReleaseRow & { visual: Json }> {
  await readBlueprint(work, blueprintId);
  const row = await work.db
    .selectFrom('release as r')
    .innerJoin('release_body as b', (join) =>
      join.onRef('b.account_id', '=', 'r.account_id').onRef('b.hash', '=', 'r.body_hash'),
    )
    .select(['r.number', 'r.name', 'r.deployed_by', 'r.created_at', 'b.visual'])
    .where('r.account_id', '=', work.accountId)
    .where('r.blueprint_id', '=', blueprintId)
    .where('r.number', '=', number)
    .where(isOf(work.mode, 'r'))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/**
 * Copies a release's graph into the draft.
 *
 * @throws DomainError `not_found`, `blueprint_running`, `quota_exceeded`.
 */
export async function restoreRelease(work: Work, blueprintId: string, number: number): Promise<BlueprintRow> {
  const { visual } = await readRelease(work, blueprintId, number);
  return underAccountLock(work, async (tx, at) => {
    const { version } = await readBlueprint(tx, blueprintId);
    const restored = await updateBlueprint(tx, blueprintId, { visual });
    await audit(tx, {
      action: 'blueprint.restored',
      mode: null,
      subjectId: blueprintId,
      before: { version },
      after: { version: restored.version, release: number },
      at,
    });
    return restored;
  });
}

import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { requireReviewedVersion } from '../../../platform/reviewed-version.ts';
import { quotaExceeded } from './quota.ts';
import {
  type BlueprintRow,
  type LockedBlueprint,
  lockBlueprint,
  readAfterStoring,
  readBlueprint,
} from './row.ts';

export type BlueprintEdit = { name?: string | undefined; visual?: Json | undefined };

/**
 * Renames a blueprint or replaces its graph.
 *
 * An absent field keeps its value; `visual: null` clears the graph. A running blueprint is refused, because its deployment
 * was reviewed with this graph. A run in another mode keeps its release.
 *
 * @throws DomainError `not_found`, `blueprint_running`, `precondition_failed`, `quota_exceeded`.
 */
export async function updateBlueprint(
  work: Work,
  id: string,
  edit: BlueprintEdit,
  reviewedVersion?: number,
): Promise<BlueprintRow> {
  return underAccountLock(work, async (tx, at) => {
    const row = await lockBlueprint(tx, id);
    requireReviewedVersion(row.version, reviewedVersion);
    if (row.status === 'running' && row.runs_in === tx.mode) {
      throw new DomainError('blueprint_running', 'The blueprint is running. Stop it first, then edit it.');
    }
    if (edit.name === undefined && edit.visual === undefined) return readBlueprint(tx, id);
    await writeEdit(tx, row, edit, at);
    return edit.visual === undefined ? readBlueprint(tx, id) : readAfterStoring(tx, id, edit.visual);
  });
}

/**
 * Stores an edit of a locked blueprint, running or not, and reads it as it is stored: a release is named by the hash of that form.
 *
 * @throws DomainError `quota_exceeded`.
 */
export async function storeEdit(
  tx: Work,
  row: LockedBlueprint,
  edit: BlueprintEdit,
  at: Date,
): Promise<BlueprintRow> {
  await writeEdit(tx, row, edit, at);
  return readBlueprint(tx, row.id);
}

async function writeEdit(tx: Work, row: LockedBlueprint, edit: BlueprintEdit, at: Date): Promise<void> {
  const visual = textOf(edit.visual);
  const bytes = visual === undefined ? row.visual_bytes : Buffer.byteLength(visual ?? '');
  await reserveBytes(tx, bytes - row.visual_bytes);
  await tx.db
    .updateTable('blueprint')
    .set({
      name: edit.name ?? row.name,
      ...(visual !== undefined && { visual }),
      visual_bytes: bytes,
      version: row.version + 1,
      updated_at: at,
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', row.id)
    .execute();
}

/** The graph as JSON text: undefined to keep the stored one, null to clear it. */
const textOf = (visual: Json | undefined): string | null | undefined =>
  visual === undefined || visual === null ? visual : JSON.stringify(visual);

async function reserveBytes(tx: Work, more: number): Promise<void> {
  if (more === 0) return;
  const { numUpdatedRows } = await tx.db
    .updateTable('account')
    .set({ visual_bytes: sql<number>`visual_bytes + ${more}` })
    .where('id', '=', tx.accountId)
    .where(sql<boolean>`(${more} < 0 or visual_bytes + ${more} <= visual_bytes_max)`)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw await quotaExceeded(tx, { isNew: false });
}

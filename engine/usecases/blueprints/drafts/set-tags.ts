import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError, notFound } from '../../../platform/errors.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { changedTags, TAGS_MAX, uniqueTags } from './tags.ts';

type Tagged = { id: string; name: string; tags: string[] };

/**
 * Gives a blueprint these tags and no others. This is no edit of the strategy: a running one can be tagged, and neither its
 * version nor the time of its last change moves.
 *
 * @returns the stored tags: each once, in order.
 * @throws DomainError `not_found`, `quota_exceeded`.
 */
export async function setTags(work: Work, id: string, tags: readonly string[]): Promise<string[]> {
  const [row] = await changeEach(work, [id], () => uniqueTags(tags));
  return row?.tags ?? [];
}

export type TagChange = { readonly add: readonly string[]; readonly remove: readonly string[] };

/**
 * Adds tags to blueprints and removes others, from all of them or from none.
 *
 * @throws DomainError `not_found` if one of them is missing, `quota_exceeded` if one of them would have more than ten.
 */
export async function changeTags(work: Work, ids: readonly string[], change: TagChange): Promise<void> {
  await changeEach(work, ids, (tags) => changedTags(tags, change));
}

async function changeEach(
  work: Work,
  ids: readonly string[],
  next: (tags: readonly string[]) => string[],
): Promise<Tagged[]> {
  return underAccountLock(work, async (tx, at) => {
    const rows = await lockTagged(tx, [...new Set(ids)]);
    const changed = rows.map((row) => ({ ...row, tags: next(row.tags), before: row.tags }));
    for (const { name, tags } of changed) refuseTooMany(name, tags);
    for (const { id, tags, before } of changed) {
      if (JSON.stringify(tags) === JSON.stringify(before)) continue;
      await tx.db
        .updateTable('blueprint')
        .set({ tags })
        .where('account_id', '=', tx.accountId)
        .where('id', '=', id)
        .execute();
      await recordEvents(tx, at, [{ type: 'blueprint.changed', payload: { id, tags }, mode: null }]);
    }
    return changed;
  });
}

async function lockTagged(tx: Work, ids: readonly string[]): Promise<Tagged[]> {
  const rows = await tx.db
    .selectFrom('blueprint')
    .select(['id', 'name', 'tags'])
    .where('account_id', '=', tx.accountId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.length < ids.length) throw notFound();
  return rows;
}

function refuseTooMany(name: string, tags: readonly string[]): void {
  if (tags.length <= TAGS_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `“${name}” would have ${tags.length} tags of at most ${TAGS_MAX}. Take one off first.`,
  );
}

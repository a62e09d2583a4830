import { underAccountLock } from '../account-lock.ts';
import type { Work } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { recordEvents } from '../events.ts';

/**
 * Asks a sweep to end. One that waits is canceled at once; one that runs by whoever runs it, within a second: the trials it
 * made until then stay, and count. Asked twice is asked once.
 *
 * @throws DomainError `not_found`, `invalid_state` where it has ended.
 */
export async function cancelSweep(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const row = await tx.db
      .selectFrom('sweep')
      .select('status')
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    if (row.status !== 'queued' && row.status !== 'running') {
      throw new DomainError('invalid_state', `The sweep is ${row.status}: there is nothing to cancel.`);
    }
    const isWaiting = row.status === 'queued';
    await tx.db
      .updateTable('sweep')
      .set(isWaiting ? { status: 'canceled', finished_at: now } : { cancel_requested_at: now })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    if (isWaiting) await recordEvents(tx, now, [finishedEvent(id, 'canceled')]);
  });
}

/** To readers of every mode: a sweep is of none. */
export const finishedEvent = (id: string, status: string) =>
  ({ type: 'sweep.finished', payload: { sweepId: id, status }, mode: null }) as const;

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
    const { status } = await lockSweep(tx, id);
    if (hasEnded(status)) {
      throw new DomainError('invalid_state', `The sweep is ${status}: there is nothing to cancel.`);
    }
    const isWaiting = status === 'queued';
    await tx.db
      .updateTable('sweep')
      .set(isWaiting ? { status: 'canceled', finished_at: now } : { cancel_requested_at: now })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    if (isWaiting) await recordEvents(tx, now, [finishedEvent(id, 'canceled')]);
  });
}

/**
 * Forgets a sweep with its trials. How many there were, and over what range, is kept: what was tried counts against the best
 * of every later sweep, and deleting it must not make that one look better.
 *
 * @throws DomainError `not_found`, `invalid_state` while it waits or runs.
 */
export async function deleteSweep(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const { status } = await lockSweep(tx, id);
    if (!hasEnded(status)) {
      throw new DomainError('invalid_state', `The sweep is ${status}. Cancel it first.`);
    }
    await tx.db
      .deleteFrom('sweep_trial')
      .where('account_id', '=', tx.accountId)
      .where('sweep_id', '=', id)
      .execute();
    await tx.db
      .updateTable('sweep')
      .set({
        deleted_at: now,
        status: 'canceled',
        is_forgotten: true,
        name: '',
        request: '{}',
        visual: '{}',
        terms: '{}',
        failure: null,
        refused: null,
        outcome: null,
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
  });
}

const hasEnded = (status: string): boolean => status !== 'queued' && status !== 'running';

async function lockSweep(tx: Work, id: string): Promise<{ status: string }> {
  const row = await tx.db
    .selectFrom('sweep')
    .select('status')
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** To readers of every mode: a sweep is of none. */
export const finishedEvent = (id: string, status: string) =>
  ({ type: 'sweep.finished', payload: { sweepId: id, status }, mode: null }) as const;

import { underAccountLock } from '../account-lock.ts';
import type { Work } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { recordEvents } from '../events.ts';
import { type BacktestRow, backtestOf, readBacktest } from './row.ts';

const ENDED = ['done', 'failed', 'canceled'];

/**
 * Asks a backtest to end. One that waits is canceled at once; one that runs by whoever runs it, within a second: what it
 * computed until then stays. Asked twice is asked once.
 *
 * @throws DomainError `not_found`, `invalid_state` where it has ended.
 */
export async function cancelBacktest(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const { status } = await lockBacktest(tx, id);
    if (ENDED.includes(status)) {
      throw new DomainError('invalid_state', `The backtest is ${status}: there is nothing to cancel.`);
    }
    const isWaiting = status === 'queued';
    await tx.db
      .updateTable('backtest')
      .set(isWaiting ? { status: 'canceled', finished_at: now } : { cancel_requested_at: now })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    if (isWaiting) await recordEvents(tx, now, [finishedEvent(id, 'canceled')]);
  });
}

/**
 * Forgets a backtest with its result.
 *
 * @throws DomainError `not_found`, `invalid_state` while it waits or runs.
 */
export async function deleteBacktest(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx) => {
    const { status } = await lockBacktest(tx, id);
    if (!ENDED.includes(status)) {
      throw new DomainError('invalid_state', `The backtest is ${status}. Cancel it first.`);
    }
    await tx.db.deleteFrom('backtest').where('account_id', '=', tx.accountId).where('id', '=', id).execute();
  });
}

/**
 * Changes what a person says of it; an absent field keeps its value.
 *
 * @throws DomainError `not_found`.
 */
export async function annotateBacktest(
  work: Work,
  id: string,
  { notes, pinned }: { notes?: string | null | undefined; pinned?: boolean | undefined },
): Promise<BacktestRow> {
  if (notes === undefined && pinned === undefined) return readBacktest(work, id);
  const row = await work.db
    .updateTable('backtest')
    .set({
      ...(notes !== undefined && { notes: notes ?? '' }),
      ...(pinned !== undefined && { is_pinned: pinned }),
    })
    .where('account_id', '=', work.accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return backtestOf(row);
}

async function lockBacktest(tx: Work, id: string): Promise<{ status: string }> {
  const row = await tx.db
    .selectFrom('backtest')
    .select('status')
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** To readers of every mode: a backtest is of none. */
export const finishedEvent = (id: string, status: string) =>
  ({ type: 'backtest.finished', payload: { backtestId: id, status }, mode: null }) as const;

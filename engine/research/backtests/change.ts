import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { cancelJob, lockEnded } from '../../platform/jobs/cancel-job.ts';
import { type BacktestRow, backtestOf, readBacktest } from './row.ts';

/** Cancels a backtest: results computed until then stay. @throws DomainError `not_found`, `invalid_state` if it has ended. */
export const cancelBacktest = (work: Work, id: string): Promise<void> => cancelJob(work, 'backtest', id);

/**
 * Deletes a backtest with its result.
 *
 * @throws DomainError `not_found`, `invalid_state` while it waits or runs.
 */
export async function deleteBacktest(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx) => {
    await lockEnded(tx, 'backtest', id);
    await tx.db.deleteFrom('backtest').where('account_id', '=', tx.accountId).where('id', '=', id).execute();
  });
}

/**
 * Changes a user's notes on it; an absent field keeps its value.
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

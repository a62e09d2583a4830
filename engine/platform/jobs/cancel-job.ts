import type { JobStatus } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../account-lock.ts';
import type { Work } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { type AccountEvent, recordEvents } from '../events/events.ts';
import { type JobTable, jobsOf } from './job-rows.ts';

/**
 * Cancels a job. A queued one ends at once; a running one is ended by its process within a second, and keeps its results. A
 * repeated cancel has no further effect.
 *
 * @throws DomainError `not_found`, `invalid_state` if it has ended.
 */
export async function cancelJob(work: Work, table: JobTable, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const status = await lockedStatus(tx, table, id);
    if (hasEnded(status)) {
      throw new DomainError('invalid_state', `The ${table} is ${status}: there is nothing to cancel.`);
    }
    const isWaiting = status === 'queued';
    await tx.db
      .updateTable(table as 'sweep')
      .set(isWaiting ? { status: 'canceled', finished_at: now } : { cancel_requested_at: now })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    if (isWaiting) await recordEvents(tx, now, [finishedEvent(table, id, 'canceled')]);
  });
}

/** @throws DomainError `not_found`, `invalid_state` for a queued or running job. */
export async function lockEnded(tx: Work, table: JobTable, id: string): Promise<void> {
  const status = await lockedStatus(tx, table, id);
  if (!hasEnded(status)) {
    throw new DomainError('invalid_state', `The ${table} is ${status}. Cancel it first.`);
  }
}

const hasEnded = (status: string): boolean => status !== 'queued' && status !== 'running';

async function lockedStatus(tx: Work, table: JobTable, id: string): Promise<string> {
  const row = await jobsOf(tx, table).select('status').where('id', '=', id).forUpdate().executeTakeFirst();
  if (row === undefined) throw notFound();
  return row.status;
}

/** For readers of every mode: results over history belong to none. */
export const finishedEvent = (table: JobTable, id: string, status: JobStatus): AccountEvent =>
  table === 'sweep'
    ? { type: 'sweep.finished', payload: { sweepId: id, status }, mode: null }
    : { type: 'backtest.finished', payload: { backtestId: id, status }, mode: null };

import type { BacktestStatus } from '../../../db/entities/backtest.ts';
import type { SweepStatus } from '../../../db/entities/sweep.ts';
import { underAccountLock } from '../account-lock.ts';
import type { Work } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { type AccountEvent, recordEvents } from '../events/events.ts';

/** Tables of what waits until a process runs it under a lease; a job is called as its table. */
export const JOB_TABLES = ['backtest', 'sweep'] as const;
export type JobTable = (typeof JOB_TABLES)[number];

/**
 * Asks a job to end. One that waits is canceled at once; one that runs by whoever runs it, within a second: what it computed
 * until then stays. Asked twice is asked once.
 *
 * @throws DomainError `not_found`, `invalid_state` where it has ended.
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

/** @throws DomainError `not_found`, `invalid_state` of a job that waits or runs. */
export async function lockEnded(tx: Work, table: JobTable, id: string): Promise<void> {
  const status = await lockedStatus(tx, table, id);
  if (!hasEnded(status)) {
    throw new DomainError('invalid_state', `The ${table} is ${status}. Cancel it first.`);
  }
}

const hasEnded = (status: string): boolean => status !== 'queued' && status !== 'running';

async function lockedStatus(tx: Work, table: JobTable, id: string): Promise<string> {
  const job = tx.db
    .selectFrom(table as 'sweep')
    .select('status')
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id);
  const row = await (table === 'sweep' ? job.where('deleted_at', 'is', null) : job)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row.status;
}

/** To readers of every mode: what is computed over history is of none. */
export const finishedEvent = (
  table: JobTable,
  id: string,
  status: BacktestStatus & SweepStatus,
): AccountEvent =>
  table === 'sweep'
    ? { type: 'sweep.finished', payload: { sweepId: id, status }, mode: null }
    : { type: 'backtest.finished', payload: { backtestId: id, status }, mode: null };

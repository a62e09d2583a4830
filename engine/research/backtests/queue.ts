import { sql } from 'kysely';
import type { BacktestPhase } from '../../../db/entities/backtest.ts';
import type { Db } from '../../../db/tables.ts';
import type { Work } from '../../platform/context.ts';
import { type Claim, JobQueue, type Lease, type LeaseState } from '../../platform/jobs/queue.ts';
import type { BacktestFailure, BacktestSummary } from '../playback/result.ts';
import type { StoredPart } from './parts.ts';
import { type BacktestRow, backtestOf, type CoveredSeries, type Progress } from './row.ts';
import { trimSummaryForStorage } from './trim-summary.ts';

/** Limit of running backtests of one account, over all processes. */
export const RUNNING_MAX = 2;
/** Limit of attempts of a run whose process was lost. Its result is the same each time, unless it kills its process. */
export const ATTEMPTS_MAX = 3;

/** Outcome of a run. The results of a canceled one are stored. */
export type Ending =
  | { readonly status: 'done'; readonly summary: BacktestSummary; readonly storedBytes: number }
  | { readonly status: 'canceled'; readonly summary: BacktestSummary | null; readonly storedBytes: number }
  | { readonly status: 'failed'; readonly failure: BacktestFailure; readonly storedBytes: number };

const queue = new JobQueue({
  table: 'backtest',
  runningMax: RUNNING_MAX,
  begun: { phase: 'history', progress: null },
  handedBack: { phase: null, progress: null },
  // A run starts from the beginning: results of a lost attempt are deleted.
  clear: async (tx, accountId, id) => {
    await tx
      .deleteFrom('backtest_part')
      .where('account_id', '=', accountId)
      .where('backtest_id', '=', id)
      .execute();
  },
});

/** Claims queued backtests, and those whose process was lost: at most two of an account. */
export const claimBacktests = async (db: Db, claim: Claim): Promise<BacktestRow[]> =>
  (await queue.claim(db, claim)).map(backtestOf);

/** Calls of a process while it runs a backtest. */
export type BacktestHeartbeat = { readonly phase: BacktestPhase; readonly progress: Progress | null };

/** Extends the lease and records the progress of the run. */
export const extendBacktest = (
  work: Work,
  lease: Lease,
  { phase, progress }: BacktestHeartbeat,
  leaseMs: number,
): Promise<LeaseState> => queue.extend(work, lease, { phase, progress: JSON.stringify(progress) }, leaseMs);

/** Records the data of the run, once they are known. */
export const recordBacktestInput = (
  work: Work,
  lease: Lease,
  { requestHash, coverage }: { requestHash: string; coverage: readonly CoveredSeries[] },
): Promise<void> =>
  queue.note(work, lease, { request_hash: requestHash, coverage: JSON.stringify(coverage) });

/** Stores a part of the result. False if the lease is lost: nothing was written. */
export async function storePart(
  { db, accountId }: Work,
  { id, owner, attempt }: Lease,
  { kind, seq, firstRow, rows, body }: StoredPart,
): Promise<boolean> {
  // Waits for the lock of a process that takes the run over, and then finds the lease lost.
  const { numAffectedRows } = await sql`
    insert into backtest_part (account_id, backtest_id, kind, seq, first_row, rows, body)
    select b.account_id, b.id, ${kind}::text, ${seq}::int, ${firstRow}::int, ${rows}::int, ${Buffer.from(body)}::bytea
    from (select account_id, id from backtest
      where account_id = ${accountId} and id = ${id} and status = 'running' and lease_owner = ${owner}
        and attempts = ${attempt} for share) as b`.execute(db);
  return numAffectedRows === 1n;
}

/** Ends a run, once. False if the lease is lost. */
export function endBacktest(work: Work, lease: Lease, ending: Ending): Promise<boolean> {
  const summary = 'summary' in ending ? ending.summary : null;
  return queue.end(work, lease, ending.status, {
    failure: ending.status === 'failed' ? JSON.stringify(ending.failure) : null,
    summary: summary && JSON.stringify(trimSummaryForStorage(summary)),
    result_hash: summary?.resultHash ?? null,
    stored_bytes: ending.storedBytes,
  });
}

/** Returns a run to the queue. `isCounted`: its process was lost; else a stopping process gives it back without a penalty. */
export const requeueBacktest = (work: Work, lease: Lease, isCounted: boolean): Promise<void> =>
  queue.requeue(work, lease, isCounted);

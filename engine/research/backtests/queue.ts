import { sql } from 'kysely';
import type { BacktestPhase } from '../../../db/entities/backtest.ts';
import type { Db } from '../../../db/tables.ts';
import type { Work } from '../../platform/context.ts';
import { type Claim, JobQueue, type Lease, type LeaseState } from '../../platform/jobs/queue.ts';
import type { BacktestFailure, BacktestSummary } from '../playback/result.ts';
import type { StoredPart } from './parts.ts';
import { type BacktestRow, backtestOf, type CoveredSeries, type Progress } from './row.ts';
import { storedSummary } from './summary.ts';

/** Running at once of one account, over all processes. */
export const RUNNING_MAX = 2;
/** A run whose process was lost is begun anew so often in all: it comes to the same, unless it is what kills processes. */
export const ATTEMPTS_MAX = 3;

/** How a run ended. What a canceled one computed is kept. */
export type Ending =
  | { readonly status: 'done'; readonly summary: BacktestSummary; readonly storedBytes: number }
  | { readonly status: 'canceled'; readonly summary: BacktestSummary | null; readonly storedBytes: number }
  | { readonly status: 'failed'; readonly failure: BacktestFailure; readonly storedBytes: number };

const queue = new JobQueue({
  table: 'backtest',
  runningMax: RUNNING_MAX,
  begun: { phase: 'history', progress: null },
  handedBack: { phase: null, progress: null },
  // A run is begun anew: what a lost attempt has written goes.
  clear: async (tx, accountId, id) => {
    await tx
      .deleteFrom('backtest_part')
      .where('account_id', '=', accountId)
      .where('backtest_id', '=', id)
      .execute();
  },
});

/** Takes backtests that wait, and those whose process was lost: two of an account. */
export const claimBacktests = async (db: Db, claim: Claim): Promise<BacktestRow[]> =>
  (await queue.claim(db, claim)).map(backtestOf);

/** What a process says of its run while it goes on. */
export type Beat = { readonly phase: BacktestPhase; readonly progress: Progress | null };

/** Extends the lease and says how far the run is. */
export const keepBacktest = (
  work: Work,
  lease: Lease,
  { phase, progress }: Beat,
  leaseMs: number,
): Promise<LeaseState> => queue.keep(work, lease, { phase, progress: JSON.stringify(progress) }, leaseMs);

/** Notes what the run is made over, once that is known. */
export const noteInput = (
  work: Work,
  lease: Lease,
  { requestHash, coverage }: { requestHash: string; coverage: readonly CoveredSeries[] },
): Promise<void> =>
  queue.note(work, lease, { request_hash: requestHash, coverage: JSON.stringify(coverage) });

/** Keeps a part of the result. False: the run is somebody else's by now, and nothing was written. */
export async function storePart(
  { db, accountId }: Work,
  { id, owner, attempt }: Lease,
  { kind, seq, firstRow, rows, body }: StoredPart,
): Promise<boolean> {
  // The lock makes this wait for whoever takes the run over, and then find that it is over.
  const { numAffectedRows } = await sql`
    insert into backtest_part (account_id, backtest_id, kind, seq, first_row, rows, body)
    select b.account_id, b.id, ${kind}::text, ${seq}::int, ${firstRow}::int, ${rows}::int, ${Buffer.from(body)}::bytea
    from (select account_id, id from backtest
      where account_id = ${accountId} and id = ${id} and status = 'running' and lease_owner = ${owner}
        and attempts = ${attempt} for share) as b`.execute(db);
  return numAffectedRows === 1n;
}

/** Ends a run, once. False: it is somebody else's by now. */
export function endBacktest(work: Work, lease: Lease, ending: Ending): Promise<boolean> {
  const summary = 'summary' in ending ? ending.summary : null;
  return queue.end(work, lease, ending.status, {
    failure: ending.status === 'failed' ? JSON.stringify(ending.failure) : null,
    summary: summary && JSON.stringify(storedSummary(summary)),
    result_hash: summary?.resultHash ?? null,
    stored_bytes: ending.storedBytes,
  });
}

/** Hands a run back to whoever comes next. `isCounted`: it was lost; else a process that stops gives it away unharmed. */
export const requeueBacktest = (work: Work, lease: Lease, isCounted: boolean): Promise<void> =>
  queue.requeue(work, lease, isCounted);

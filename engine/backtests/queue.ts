import { sql } from 'kysely';
import type { BacktestPhase } from '../../db/entities/backtest.ts';
import type { Db } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { underAccountLock } from '../account-lock.ts';
import type { BacktestFailure, BacktestSummary } from '../backtest/result.ts';
import type { Work } from '../context.ts';
import { recordEvents } from '../events.ts';
import { finishedEvent } from './change.ts';
import type { StoredPart } from './parts.ts';
import { type BacktestRow, backtestOf, type CoveredSeries, type Progress } from './row.ts';
import { storedSummary } from './summary.ts';

/** Running at once of one account, over all processes. */
export const RUNNING_MAX = 2;
/** A run whose process was lost is begun anew so often in all: it comes to the same, unless it is what kills processes. */
export const ATTEMPTS_MAX = 3;

/** The right of one process to go on with one attempt. Whoever lost it changes nothing any more. */
export type Lease = { readonly id: string; readonly owner: string; readonly attempt: number };

/** How a run ended. What a canceled one computed is kept. */
export type Ending =
  | { readonly status: 'done'; readonly summary: BacktestSummary; readonly storedBytes: number }
  | { readonly status: 'canceled'; readonly summary: BacktestSummary | null; readonly storedBytes: number }
  | { readonly status: 'failed'; readonly failure: BacktestFailure; readonly storedBytes: number };

const extended = (leaseMs: number) => sql<string>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

/**
 * Takes backtests that wait, and those whose process was lost: at most `count`, two of an account, the first of each account
 * before the second of any. What a lost attempt has written goes.
 */
export async function claimBacktests(
  db: Db,
  { owner, count, leaseMs }: { owner: string; count: number; leaseMs: number },
): Promise<BacktestRow[]> {
  if (count === 0) return [];
  return inTransaction(db, async (tx) => {
    // One process at a time: two that count the running ones of an account at once would both find room.
    const { rows: turns } = await sql<{ ours: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('backtest', 0)) as ours`.execute(tx);
    if (turns[0]?.ours !== true) return [];
    const { rows: free } = await sql<{ account_id: string; id: string }>`
      with busy as (
        select account_id, count(*) as running from backtest
        where status = 'running' and leased_until >= clock_timestamp() group by account_id
      ), waiting as (
        select account_id, id, created_at,
          row_number() over (partition by account_id order by status = 'queued', created_at, id) as place
        from backtest
        where status = 'queued' or (status = 'running' and leased_until < clock_timestamp())
      )
      select b.account_id, b.id from backtest b
        join waiting w on w.account_id = b.account_id and w.id = b.id
        left join busy u on u.account_id = b.account_id
      where w.place + coalesce(u.running, 0) <= ${RUNNING_MAX}
      order by w.place, w.created_at, b.id
      limit ${count} for update of b skip locked`.execute(tx);
    const claimed: BacktestRow[] = [];
    for (const { account_id, id } of free) {
      await tx
        .deleteFrom('backtest_part')
        .where('account_id', '=', account_id)
        .where('backtest_id', '=', id)
        .execute();
      const row = await tx
        .updateTable('backtest')
        .set({
          status: 'running',
          phase: 'history',
          progress: null,
          lease_owner: owner,
          leased_until: extended(leaseMs),
          attempts: sql<number>`attempts + 1`,
          started_at: sql<string>`coalesce(started_at, clock_timestamp())`,
        })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      claimed.push(backtestOf(row));
    }
    return claimed;
  });
}

/** What a process says of its run while it goes on. */
export type Beat = { readonly phase: BacktestPhase; readonly progress: Progress | null };

/** Extends the lease and says how far the run is. `lost`: it is somebody else's by now. */
export async function keepBacktest(
  { db, accountId }: Work,
  { id, owner, attempt }: Lease,
  { phase, progress }: Beat,
  leaseMs: number,
): Promise<'kept' | 'canceled' | 'lost'> {
  const row = await db
    .updateTable('backtest')
    .set({ leased_until: extended(leaseMs), phase, progress: JSON.stringify(progress) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('lease_owner', '=', owner)
    .where('attempts', '=', attempt)
    .returning('cancel_requested_at')
    .executeTakeFirst();
  if (row === undefined) return 'lost';
  return row.cancel_requested_at === null ? 'kept' : 'canceled';
}

/** Notes what the run is made over, once that is known. */
export async function noteInput(
  { db, accountId }: Work,
  { id, owner, attempt }: Lease,
  { requestHash, coverage }: { requestHash: string; coverage: readonly CoveredSeries[] },
): Promise<void> {
  await db
    .updateTable('backtest')
    .set({ request_hash: requestHash, coverage: JSON.stringify(coverage) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('attempts', '=', attempt)
    .execute();
}

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
export async function endBacktest(work: Work, lease: Lease, ending: Ending): Promise<boolean> {
  const { id, owner, attempt } = lease;
  const summary = 'summary' in ending ? ending.summary : null;
  return underAccountLock(work, async (tx, now) => {
    const row = await tx.db
      .updateTable('backtest')
      .set({
        status: ending.status,
        phase: null,
        progress: null,
        lease_owner: null,
        leased_until: null,
        finished_at: now,
        failure: ending.status === 'failed' ? JSON.stringify(ending.failure) : null,
        summary: summary && JSON.stringify(storedSummary(summary)),
        result_hash: summary?.resultHash ?? null,
        stored_bytes: ending.storedBytes,
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .where('status', '=', 'running')
      .where('lease_owner', '=', owner)
      .where('attempts', '=', attempt)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await recordEvents(tx, now, [finishedEvent(id, ending.status)]);
    return true;
  });
}

/** Hands a run back to whoever comes next. `isCounted`: it was lost; else a process that stops gives it away unharmed. */
export async function requeueBacktest(
  { db, accountId }: Work,
  { id, owner, attempt }: Lease,
  isCounted: boolean,
): Promise<void> {
  await db
    .updateTable('backtest')
    .set({
      status: 'queued',
      phase: null,
      progress: null,
      lease_owner: null,
      leased_until: null,
      ...(!isCounted && { attempts: attempt - 1 }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('lease_owner', '=', owner)
    .where('attempts', '=', attempt)
    .execute();
}

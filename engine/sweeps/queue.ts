import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { underAccountLock } from '../account-lock.ts';
import type { Work } from '../context.ts';
import { recordEvents } from '../events.ts';
import type { SweepOutcome } from '../sweep/outcome.ts';
import { finishedEvent } from './change.ts';
import { type RefusedTrials, type SweepFailure, type SweepProgress, type SweepRow, sweepOf } from './row.ts';

/** Running at once of one account, over all processes. */
export const RUNNING_MAX = 1;
/** A sweep whose process was lost goes on where it was, so often in all. */
export const ATTEMPTS_MAX = 10;

/** The right of one process to go on with one attempt. Whoever lost it changes nothing any more. */
export type SweepLease = { readonly id: string; readonly owner: string; readonly attempt: number };

export type SweepEnding =
  | { readonly status: 'done'; readonly outcome: SweepOutcome }
  | { readonly status: 'canceled' }
  | { readonly status: 'failed'; readonly failure: SweepFailure };

const extended = (leaseMs: number) => sql<string>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

/**
 * Takes sweeps that wait, and those whose process was lost: at most `count`, one of an account. Their trials stay: what is
 * stored is not computed again.
 */
export async function claimSweeps(
  db: Db,
  { owner, count, leaseMs }: { owner: string; count: number; leaseMs: number },
): Promise<SweepRow[]> {
  if (count === 0) return [];
  return inTransaction(db, async (tx) => {
    // One process at a time: two that count the running ones of an account at once would both find room.
    const { rows: turns } = await sql<{ ours: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('sweep', 0)) as ours`.execute(tx);
    if (turns[0]?.ours !== true) return [];
    const { rows: free } = await sql<{ account_id: string; id: string }>`
      with waiting as (
        select account_id, id, created_at,
          row_number() over (partition by account_id order by status = 'queued', created_at, id) as place
        from sweep
        where status = 'queued' or (status = 'running' and leased_until < clock_timestamp())
      )
      select s.account_id, s.id from sweep s join waiting w on w.account_id = s.account_id and w.id = s.id
      where w.place + (
        select count(*) from sweep r
        where r.account_id = s.account_id and r.status = 'running' and r.leased_until >= clock_timestamp()) <= ${RUNNING_MAX}
      order by w.created_at, s.id limit ${count} for update of s skip locked`.execute(tx);
    const claimed: SweepRow[] = [];
    for (const { account_id, id } of free) {
      const row = await tx
        .updateTable('sweep')
        .set({
          status: 'running',
          lease_owner: owner,
          leased_until: extended(leaseMs),
          attempts: sql<number>`attempts + 1`,
          started_at: sql<string>`coalesce(started_at, clock_timestamp())`,
        })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      claimed.push(sweepOf(row));
    }
    return claimed;
  });
}

/** Extends the lease and says how far the sweep is. `lost`: it is somebody else's by now. */
export async function keepSweep(
  { db, accountId }: Work,
  { id, owner, attempt }: SweepLease,
  progress: SweepProgress,
  leaseMs: number,
): Promise<'kept' | 'canceled' | 'lost'> {
  const row = await db
    .updateTable('sweep')
    .set({ leased_until: extended(leaseMs), progress: JSON.stringify(progress) })
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

/** Notes which combinations do not compile, once that is known. */
export async function noteRefused(
  { db, accountId }: Work,
  { id, owner, attempt }: SweepLease,
  refused: RefusedTrials,
): Promise<void> {
  await db
    .updateTable('sweep')
    .set({ refused: JSON.stringify(refused) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('attempts', '=', attempt)
    .execute();
}

/** Ends a sweep, once. False: it is somebody else's by now. */
export async function endSweep(work: Work, lease: SweepLease, ending: SweepEnding): Promise<boolean> {
  const { id, owner, attempt } = lease;
  return underAccountLock(work, async (tx, now) => {
    const row = await tx.db
      .updateTable('sweep')
      .set({
        status: ending.status,
        progress: null,
        lease_owner: null,
        leased_until: null,
        finished_at: now,
        failure: ending.status === 'failed' ? JSON.stringify(ending.failure) : null,
        outcome: ending.status === 'done' ? JSON.stringify(ending.outcome) : null,
        trial_count: sql<number>`(select count(*) from sweep_trial t
          where t.account_id = sweep.account_id and t.sweep_id = sweep.id and t.stage = 'whole')`,
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

/** Hands a sweep back to whoever comes next. `isCounted`: it was lost; else a process that stops gives it away unharmed. */
export async function requeueSweep(
  { db, accountId }: Work,
  { id, owner, attempt }: SweepLease,
  isCounted: boolean,
): Promise<void> {
  await db
    .updateTable('sweep')
    .set({
      status: 'queued',
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

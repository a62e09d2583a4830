import { sql } from 'kysely';
import PQueue from 'p-queue';
import type { Db } from '../../db/tables.ts';
import { type Clock, databaseClock, type Work } from './context.ts';
import { DomainError } from './errors.ts';
import { transact } from './transact.ts';

/** Limit of waiting tasks of one account in this process; later callers are asked to retry. */
const WAITING_MAX = 1_000;
/** Limit of the wait for turn and lock together; then the call fails instead of keeping the caller waiting. */
const WAIT_MAX_MS = 5_000;
/**
 * A task that waited for its turn gets at least this long for the lock. An urgent one gets more: it may be the only safeguard.
 */
const LOCK_WAIT_MIN_MS = 500;
const URGENT_LOCK_WAIT_MIN_MS = 2_000;

/** An urgent task goes before all that wait, and is not refused when many wait. */
export type TurnOptions = { isUrgent?: boolean };

/**
 * The queue of each account's tasks, by database handle: services in one process then share none by accident. A request of a
 * user does not wait behind tasks that use another share of the pool.
 */
const turns = new WeakMap<Db, PQueue>();

/**
 * Runs `task` in one transaction under the account's lock, with the instant read under that lock. Every decision about the
 * account's money and deployments is made under it. The order of locks everywhere: account, deployment, order, position.
 *
 * The database lock separates processes. Within this process, tasks of one account wait for each other before they take a
 * connection. A busy account thus holds one connection, not all of them, and keeps no other account waiting. Inside a
 * transaction there is a connection already, and only the lock is waited for.
 *
 * @throws DomainError `overloaded` when too many wait already, or after five seconds without turn and lock; `account_moving`
 *   while the account moves to another cell, and once it has.
 */
export async function underAccountLock<Result>(
  work: Work,
  task: (tx: Work, now: Date) => Promise<Result>,
  options: TurnOptions = {},
): Promise<Result> {
  const locked = (tx: Work) => lockAccount(tx).then((now) => task(tx, now));
  return work.db.isTransaction ? transact(work, locked) : transactInTurn(work, locked, options);
}

/**
 * Runs `task` in one transaction after the account's earlier tasks in this process. `task` must not wait for a turn again;
 * `underAccountLock` inside a transaction does not.
 *
 * @throws DomainError `overloaded` when too many wait already, or the wait takes too long.
 */
export function transactInTurn<Result>(
  work: Work,
  task: (tx: Work) => Promise<Result>,
  options: TurnOptions = {},
): Promise<Result> {
  const requestedMs = performance.now();
  return inTurn(work.db, options, () => {
    const waitedMs = performance.now() - requestedMs;
    // Most tasks do not wait at all: the server's own lock timeout applies to them.
    if (waitedMs < LOCK_WAIT_MIN_MS) return transact(work, task);
    const leastMs = options.isUrgent ? URGENT_LOCK_WAIT_MIN_MS : LOCK_WAIT_MIN_MS;
    const lockWaitMs = Math.max(WAIT_MAX_MS - waitedMs, leastMs);
    return transact(work, async (tx) => {
      await boundLockWait(tx, lockWaitMs);
      return task(tx);
    });
  });
}

async function inTurn<Result>(
  db: Db,
  { isUrgent = false }: TurnOptions,
  task: () => Promise<Result>,
): Promise<Result> {
  const queue = turns.get(db) ?? new PQueue({ concurrency: 1 });
  turns.set(db, queue);
  if (queue.size >= WAITING_MAX && !isUrgent) throw busy();
  const waiting = new AbortController();
  const late = setTimeout(() => waiting.abort(busy()), WAIT_MAX_MS);
  const start = () => {
    clearTimeout(late);
    return task();
  };
  try {
    return await queue.add(start, { priority: isUrgent ? 1 : 0, signal: waiting.signal });
  } finally {
    clearTimeout(late);
  }
}

/** Limits each wait for a lock until this transaction ends. */
async function boundLockWait({ db }: Work, waitMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${Math.ceil(waitMs)}ms`}, true)`.execute(db);
}

/**
 * Statements in a transaction under locks are repeated with other values: planning each time takes longer than running them. A
 * plan stays cached for long, and every statement finds rows by key. A plan made while a table was empty must not scan the
 * whole table later.
 */
const PLANNED_ONCE = sql`set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`;

/**
 * Takes the lock and only then reads the clock. The lock leaves the row's key free: rows that only refer to the account can be
 * written meanwhile.
 */
async function lockAccount(work: Work): Promise<Date> {
  const { db, accountId, clock } = work;
  // Reads the clock once the row is locked, in the same statement: `materialized` keeps the two in order.
  const { rows } = await sql<{ now: string; moving_to: number | null }>`
    with locked as materialized (select moving_to from account where id = ${accountId} for no key update)
    select clock_timestamp() as now, moving_to, ${PLANNED_ONCE}
    from locked`.execute(db);
  const [locked] = rows;
  if (locked === undefined && !(await hasAccountMoved(work)))
    throw new Error(`There is no account ${accountId} to lock.`);
  if (locked === undefined || locked.moving_to !== null) throw accountMoving();
  return clock === databaseClock ? new Date(locked.now) : clock(db);
}

/**
 * Locks those of the accounts that are free and do not move, in order of their ids. Only then reads the clock. The others are skipped: a
 * transaction that holds locks waits for none. Null if none is free. Call in a transaction.
 */
export async function lockFreeAccounts(
  db: Db,
  accountIds: readonly string[],
  clock: Clock,
): Promise<{ accountIds: ReadonlySet<string>; now: Date } | null> {
  const { rows } = await sql<{ id: string; now: string }>`
    with locked as materialized (
      select id from account where id = any(${accountIds}::uuid[]) and moving_to is null order by id for no key update skip locked
    )
    select id, clock_timestamp() as now, ${PLANNED_ONCE} from locked`.execute(db);
  const last = rows.at(-1);
  if (last === undefined) return null;
  const now = clock === databaseClock ? new Date(last.now) : await clock(db);
  return { accountIds: new Set(rows.map(({ id }) => id)), now };
}

/** Whether the account has moved to another cell: what it looks for here is there now. */
export async function hasAccountMoved({ db, accountId }: Work): Promise<boolean> {
  const { rows } = await sql`select from moved_account where id = ${accountId}`.execute(db);
  return rows.length > 0;
}

export const accountMoving = () => DomainError.of('account_moving', { retryAfterSec: 1 });

const busy = () =>
  new DomainError('overloaded', 'The account is busy. Try again in a moment.', { retryAfterSec: 1 });

import { sql } from 'kysely';
import PQueue from 'p-queue';
import type { Db } from '../../db/tables.ts';
import { type Clock, databaseClock, type Work } from './context.ts';
import { DomainError } from './errors.ts';
import { transact } from './transact.ts';

/** Tasks of one account that may wait in this process; whoever comes after them is told to come back. */
const WAITING_MAX = 1_000;
/** Turn and lock together are waited for this long; then it is better to say so than to keep somebody waiting. */
const WAIT_MAX_MS = 5_000;
/** Who had to wait for the turn gets at least this much for the lock: a brake more, because it may be all there is. */
const LOCK_WAIT_MIN_MS = 500;
const BRAKE_LOCK_WAIT_MIN_MS = 2_000;

/** `isBrake`: goes before everything that waits, and is not told to come back because many wait. */
export type TurnOptions = { isBrake?: boolean };

/**
 * One account's tasks, one after the other. By its handle, so that services in one process share none by accident, and a request
 * does not stand behind all that waits by a share of the pool.
 */
const turns = new WeakMap<Db, PQueue>();

/**
 * Runs `task` in one transaction under the account's lock, which every decision about its money and its deployments is
 * made under, with the moment read under it. The order of locks everywhere: account, deployment, order, position.
 *
 * The lock in the database is what keeps processes apart. Within this process, tasks of one account wait for each
 * other before they take a connection: a busy account then holds one connection, not all of them, and keeps no
 * other account waiting. Inside a transaction there is a connection already, and only the lock is waited for.
 *
 * @throws DomainError `overloaded` when too many wait already, or turn and lock cannot be had within five seconds.
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
 * Runs `task` in one transaction when the account's tasks before it in this process are done. What it runs must not ask
 * for the turn again; `underAccountLock` inside a transaction does not.
 *
 * @throws DomainError `overloaded` when too many wait already, or it takes too long.
 */
export function transactInTurn<Result>(
  work: Work,
  task: (tx: Work) => Promise<Result>,
  options: TurnOptions = {},
): Promise<Result> {
  const askedMs = performance.now();
  return inTurn(work.db, options, () => {
    const waitedMs = performance.now() - askedMs;
    // Most do not wait at all: the server's own limit is theirs.
    if (waitedMs < LOCK_WAIT_MIN_MS) return transact(work, task);
    const leastMs = options.isBrake ? BRAKE_LOCK_WAIT_MIN_MS : LOCK_WAIT_MIN_MS;
    const lockWaitMs = Math.max(WAIT_MAX_MS - waitedMs, leastMs);
    return transact(work, async (tx) => {
      await boundLockWait(tx, lockWaitMs);
      return task(tx);
    });
  });
}

async function inTurn<Result>(
  db: Db,
  { isBrake = false }: TurnOptions,
  task: () => Promise<Result>,
): Promise<Result> {
  const queue = turns.get(db) ?? new PQueue({ concurrency: 1 });
  turns.set(db, queue);
  if (queue.size >= WAITING_MAX && !isBrake) throw busy();
  const waiting = new AbortController();
  const late = setTimeout(() => waiting.abort(busy()), WAIT_MAX_MS);
  const start = () => {
    clearTimeout(late);
    return task();
  };
  try {
    return await queue.add(start, { priority: isBrake ? 1 : 0, signal: waiting.signal });
  } finally {
    clearTimeout(late);
  }
}

/** Waits for locks this long at most, until this transaction ends. */
async function boundLockWait({ db }: Work, waitMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${Math.ceil(waitMs)}ms`}, true)`.execute(db);
}

/**
 * What follows in a transaction under locks is asked again and again with other values: planning it anew each time would
 * take longer than running it. A plan is kept for long, and all of it looks rows up by key: one made while a table was empty
 * must not read the whole table once it is not.
 */
const PLANNED_ONCE = sql`set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`;

/**
 * Takes the lock and only then reads the clock. The lock leaves the row's key free, so that rows that only refer to the
 * account can be written meanwhile.
 */
async function lockAccount({ db, accountId, clock }: Work): Promise<Date> {
  // The clock is asked once the locked row is there, in the same statement: `materialized` keeps the two in order.
  const { rows } = await sql<{ now: string }>`
    with locked as materialized (select id from account where id = ${accountId} for no key update)
    select clock_timestamp() as now, ${PLANNED_ONCE}
    from locked`.execute(db);
  const [locked] = rows;
  if (locked === undefined) throw new Error(`There is no account ${accountId} to lock.`);
  return clock === databaseClock ? new Date(locked.now) : clock(db);
}

/**
 * Locks those of these accounts that nothing else has locked, in the order of their ids, and only then reads the clock. The
 * rest is left out: whoever holds locks waits for none. Null where none is free. Call in a transaction.
 */
export async function lockFreeAccounts(
  db: Db,
  accountIds: readonly string[],
  clock: Clock,
): Promise<{ accountIds: ReadonlySet<string>; now: Date } | null> {
  const { rows } = await sql<{ id: string; now: string }>`
    with locked as materialized (
      select id from account where id = any(${accountIds}::uuid[]) order by id for no key update skip locked
    )
    select id, clock_timestamp() as now, ${PLANNED_ONCE} from locked`.execute(db);
  const last = rows.at(-1);
  if (last === undefined) return null;
  const now = clock === databaseClock ? new Date(last.now) : await clock(db);
  return { accountIds: new Set(rows.map(({ id }) => id)), now };
}

const busy = () =>
  new DomainError('overloaded', 'The account is busy. Try again in a moment.', { retryAfterSec: 1 });

import { DeadlockException } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { databaseClock, dbOf, type Work } from './context.ts';
import { DomainError } from './errors.ts';
import { committedEvents } from './events.ts';

const TRIES_MAX = 3;
/** Serialization failure, deadlock: nothing of the transaction remains, so it can be tried again. */
const LOST_RACES = new Set(['40001', '40P01']);
/** Nor here, but whoever waited this long for a lock has waited long enough. */
const LOCK_TIMEOUT = '55P03';

/**
 * Runs `task` in one transaction and commits what it returns from; a throw rolls everything back.
 *
 * Called inside another transaction it is a savepoint of that one. The outermost call repeats a transaction
 * that lost a deadlock or serialization race, at most three times: nothing of a lost try remains.
 *
 * @throws DomainError `overloaded` when every try was lost, or a lock was not let go in time.
 */
export async function transact<Result>(work: Work, task: (tx: Work) => Promise<Result>): Promise<Result> {
  if (work.em.isInTransaction()) return inSavepoint(work, task);
  for (let tried = 1; ; tried++) {
    const recorded = { events: false };
    try {
      const result = await inTransaction({ ...work, recorded }, task);
      if (recorded.events) committedEvents.emit('account', work.accountId);
      return result;
    } catch (error) {
      const isTooLate = sqlStateOf(error) === LOCK_TIMEOUT;
      if (!isTooLate && !isLostRace(error)) throw error;
      if (!isTooLate && tried < TRIES_MAX) continue;
      throw new DomainError('overloaded', 'The account is busy. Try again in a moment.', {
        retryAfterSec: 1,
        cause: error,
      });
    }
  }
}

/**
 * Kysely's transaction, not MikroORM's: that one keeps its connection for good when the connection dies in between,
 * until the pool has none left.
 */
async function inTransaction<Result>(work: Work, task: (tx: Work) => Promise<Result>): Promise<Result> {
  let failure: { error: unknown } | undefined;
  try {
    return await dbOf(work)
      .transaction()
      .execute(async (transaction) => {
        const em = work.em.fork();
        em.setTransactionContext(transaction);
        try {
          return await task({ ...work, em });
        } catch (error) {
          failure = { error };
          throw error;
        }
      });
  } catch (error) {
    // On a dead connection the rollback fails too: what failed first says more.
    throw failure === undefined ? error : failure.error;
  }
}

async function inSavepoint<Result>(work: Work, task: (tx: Work) => Promise<Result>): Promise<Result> {
  const db = dbOf(work);
  await sql`savepoint task`.execute(db);
  try {
    const result = await task(work);
    await sql`release savepoint task`.execute(db);
    return result;
  } catch (error) {
    await sql`rollback to savepoint task`.execute(db).catch(() => {});
    throw error;
  }
}

function isLostRace(error: unknown): boolean {
  return error instanceof DeadlockException || LOST_RACES.has(sqlStateOf(error) ?? '');
}

/** PostgreSQL's five-character error code, wherever it is on the error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Waits for locks this long at most, until this transaction ends. */
export async function boundLockWait(tx: Work, waitMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${Math.ceil(waitMs)}ms`}, true)`.execute(dbOf(tx));
}

/**
 * Takes the account's lock, which every decision about its money and its deployments is made under, and only
 * then reads the clock. The lock order everywhere: account, deployment, order, position.
 *
 * The lock leaves the row's key free, so that rows that only refer to the account can be written meanwhile.
 */
export async function lockAccount(tx: Work): Promise<Date> {
  const db = dbOf(tx);
  // The clock is asked once the locked row is there, in the same statement: `materialized` keeps the two in order.
  // What follows in this transaction is asked again and again with other values: planning it anew each time would
  // take longer than running it.
  const { rows } = await sql<{ now: string }>`
    with locked as materialized (select id from account where id = ${tx.accountId} for no key update)
    select clock_timestamp() as now, set_config('plan_cache_mode', 'force_generic_plan', true)
    from locked`.execute(db);
  const [locked] = rows;
  if (locked === undefined) throw new Error(`There is no account ${tx.accountId} to lock.`);
  return tx.clock === databaseClock ? new Date(locked.now) : tx.clock(db);
}

import { DeadlockException } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { databaseClock, dbOf, type Work } from './context.ts';
import { DomainError } from './errors.ts';
import { committedEvents } from './events.ts';

const TRIES_MAX = 3;
/** Serialization failure, deadlock, lock timeout: nothing of the transaction remains, so it can be tried again. */
const LOST_RACES = new Set(['40001', '40P01', '55P03']);

/**
 * Runs `task` in one transaction and commits what it returns from; a throw rolls everything back.
 *
 * Called inside another transaction it is a savepoint of that one. The outermost call repeats a transaction
 * that lost a deadlock or serialization race or waited too long for a lock, at most three times: nothing of a lost
 * try remains.
 *
 * @throws DomainError `overloaded` when every try was lost.
 */
export async function transact<Result>(work: Work, task: (tx: Work) => Promise<Result>): Promise<Result> {
  const outermost = !work.em.isInTransaction();
  const triesMax = outermost ? TRIES_MAX : 1;
  for (let tried = 1; ; tried++) {
    const recorded = outermost ? { events: false } : (work.recorded ?? { events: false });
    try {
      const result = await work.em.transactional((em) => task({ ...work, em, recorded }), { clear: true });
      if (outermost && recorded.events) committedEvents.emit('account', work.accountId);
      return result;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      if (tried < triesMax) continue;
      if (!outermost) throw error;
      throw new DomainError('overloaded', 'The account is busy. Try again in a moment.', {
        retryAfterSec: 1,
        cause: error,
      });
    }
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

/**
 * Takes the account's lock, which every decision about its money and its deployments is made under, and only
 * then reads the clock. The lock order everywhere: account, deployment, order, position.
 *
 * The lock leaves the row's key free, so that rows that only refer to the account can be written meanwhile.
 */
export async function lockAccount(tx: Work): Promise<Date> {
  const db = dbOf(tx);
  // The clock is asked once the locked row is there, in the same statement: `materialized` keeps the two in order.
  const { rows } = await sql<{ now: string }>`
    with locked as materialized (select id from account where id = ${tx.accountId} for no key update)
    select clock_timestamp() as now from locked`.execute(db);
  const [locked] = rows;
  if (locked === undefined) throw new Error(`There is no account ${tx.accountId} to lock.`);
  return tx.clock === databaseClock ? new Date(locked.now) : tx.clock(db);
}

import { DeadlockException } from '@mikro-orm/postgresql';
import { dbOf, type Work } from './context.ts';
import { DomainError } from './errors.ts';
import { committedEvents } from './events.ts';

const TRIES_MAX = 3;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_TIMEOUT = '55P03';

/**
 * Runs `task` in one transaction and commits what it returns from; a throw rolls everything back.
 *
 * Called inside another transaction it is a savepoint of that one. The outermost call repeats a transaction
 * that lost a deadlock or serialization race, at most three times: nothing of a lost try remains.
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
      if (tried < triesMax && isLostRace(error)) continue;
      if (sqlStateOf(error) === LOCK_TIMEOUT) {
        throw new DomainError('overloaded', 'The account is busy. Try again in a moment.', {
          retryAfterSec: 1,
          cause: error,
        });
      }
      throw error;
    }
  }
}

function isLostRace(error: unknown): boolean {
  const state = sqlStateOf(error);
  return error instanceof DeadlockException || state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** PostgreSQL's five-character error code, wherever it is on the error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Takes the account's lock, which every decision about its money and its deployments is made under, and only
 * then reads the clock. The lock order everywhere: account, deployment, order, position.
 */
export async function lockAccount(tx: Work): Promise<Date> {
  const db = dbOf(tx);
  await db.selectFrom('account').select('id').where('id', '=', tx.accountId).forUpdate().execute();
  return tx.clock(db);
}

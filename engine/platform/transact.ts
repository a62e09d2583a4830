import { sql } from 'kysely';
import { isLockTimeout, isSerializationFailure } from '../../db/database-errors.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Work } from './context.ts';
import { DomainError } from './errors.ts';
import { announceEvents } from './events/events.ts';

/**
 * Runs `task` in one transaction and commits when it returns; a throw rolls everything back.
 *
 * Inside another transaction it is a savepoint of that one. The outermost call repeats a transaction that lost a deadlock or
 * serialization race, at most three times: a lost attempt leaves nothing behind.
 *
 * @throws DomainError `overloaded` when every attempt was lost, or a lock was not released in time.
 */
export async function transact<Result>(work: Work, task: (tx: Work) => Promise<Result>): Promise<Result> {
  if (work.db.isTransaction) return inSavepoint(work, task);
  try {
    const { tx, result } = await inTransaction(work.db, async (db) => {
      const tx = { ...work, db };
      return { tx, result: await task(tx) };
    });
    announceEvents(work, tx);
    return result;
  } catch (error) {
    // A call that timed out on a lock is not repeated: it has waited long enough.
    if (!isLockTimeout(error) && !isSerializationFailure(error)) throw error;
    throw new DomainError('overloaded', 'The account is busy. Try again in a moment.', {
      retryAfterSec: 1,
      cause: error,
    });
  }
}

async function inSavepoint<Result>(work: Work, task: (tx: Work) => Promise<Result>): Promise<Result> {
  const { db } = work;
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

import { sql } from 'kysely';
import { isSerializationFailure } from './database-errors.ts';
import type { Db } from './tables.ts';

const TRIES_MAX = 3;

/**
 * Runs `task` in its own transaction and commits when it returns; a throw rolls everything back. A task that lost a deadlock or
 * serialization race is repeated, three attempts in all: nothing of a lost attempt remains.
 */
export async function inTransaction<Result>(db: Db, task: (tx: Db) => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await tryOnce(db, task);
    } catch (error) {
      if (tried >= TRIES_MAX || !isSerializationFailure(error)) throw error;
    }
  }
}

/** Reads from one snapshot of the database: prices and books do not move between the reads. */
export const inSnapshot = <At extends { readonly db: Db }, Result>(
  at: At,
  read: (at: At) => Promise<Result>,
): Promise<Result> =>
  inTransaction(at.db, async (db) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db);
    return await read({ ...at, db });
  });

async function tryOnce<Result>(db: Db, task: (tx: Db) => Promise<Result>): Promise<Result> {
  let failure: { error: unknown } | undefined;
  try {
    return await db.transaction().execute(async (tx) => {
      try {
        return await task(tx);
      } catch (error) {
        failure = { error };
        throw error;
      }
    });
  } catch (error) {
    // On a dead connection the rollback fails too: the first failure is the more informative.
    throw failure === undefined ? error : failure.error;
  }
}

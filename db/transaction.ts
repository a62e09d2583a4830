import { isLostRace } from './failures.ts';
import type { Db } from './tables.ts';

const TRIES_MAX = 3;

/**
 * Runs `task` in one transaction of its own and commits what it returns from; a throw rolls everything back. One that
 * lost a deadlock or serialization race is repeated, three tries in all: nothing of a lost try remains.
 */
export async function inTransaction<Result>(db: Db, task: (tx: Db) => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await tryOnce(db, task);
    } catch (error) {
      if (tried >= TRIES_MAX || !isLostRace(error)) throw error;
    }
  }
}

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
    // On a dead connection the rollback fails too: what failed first says more.
    throw failure === undefined ? error : failure.error;
  }
}

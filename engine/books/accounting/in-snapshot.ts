import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { inTransaction } from '../../../db/transaction.ts';

/** Reads from one snapshot of the database: prices and books do not move between the reads. */
export const inSnapshot = <At extends { readonly db: Db }, Result>(
  at: At,
  read: (at: At) => Promise<Result>,
): Promise<Result> =>
  inTransaction(at.db, async (db) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db);
    return await read({ ...at, db });
  });

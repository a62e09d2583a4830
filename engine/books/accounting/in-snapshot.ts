import { sql } from 'kysely';
import { inTransaction } from '../../../db/transaction.ts';
import type { Work } from '../../platform/context.ts';

/** Reads from one snapshot of the database: prices and books do not move between the reads. */
export const inSnapshot = <Result>(work: Work, read: (at: Work) => Promise<Result>): Promise<Result> =>
  inTransaction(work.db, async (db) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db);
    return await read({ ...work, db });
  });

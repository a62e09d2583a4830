import { type RawBuilder, sql } from 'kysely';
import { databaseClock, type Work } from '../context.ts';

/**
 * Now, as a part of a statement, for reads that decide nothing: the database's own clock costs no question of its
 * own, a test's clock is asked first.
 */
export const nowInSql = async (work: Work): Promise<RawBuilder<string>> =>
  work.clock === databaseClock
    ? sql<string>`clock_timestamp()`
    : sql<string>`${await work.clock(work.db)}::timestamptz`;

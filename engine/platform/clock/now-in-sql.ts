import { type RawBuilder, sql } from 'kysely';
import { databaseClock, type Work } from '../context.ts';

/**
 * Returns the current time as an SQL expression, for reads that decide nothing. The database's clock needs no query of its own;
 * a test's clock is read first.
 */
export const nowInSql = async (work: Work): Promise<RawBuilder<string>> =>
  work.clock === databaseClock
    ? sql<string>`clock_timestamp()`
    : sql<string>`${await work.clock(work.db)}::timestamptz`;

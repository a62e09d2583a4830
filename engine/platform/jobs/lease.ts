/** Leases: the right of one process to work on a row. Only the database's clock counts. */
import { type RawBuilder, sql } from 'kysely';

/** The end of a lease that begins now. */
export const leaseEnd = (leaseMs: number): RawBuilder<string> =>
  sql<string>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

/**
 * Whether a lease is valid. One that ends later than twice its duration does not count: a clock that was ahead gave it, for
 * example on a machine that booted with a wrong time.
 */
export const isLeased = (until: string, leaseMs: number): RawBuilder<boolean> =>
  sql`(${sql.ref(until)} > clock_timestamp() and ${sql.ref(until)} <= ${leaseEnd(2 * leaseMs)})`;

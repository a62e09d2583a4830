import { type RawBuilder, sql } from 'kysely';

export type Measured = { value: number | string } & Record<string, number | string>;

/** A gauge read from the database, so it covers all processes and is the same in each. */
export type DatabaseGauge = {
  readonly name: string;
  readonly help: string;
  /** Columns of `ask` other than `value`, each with a bounded number of values. */
  readonly labels?: readonly string[];
  /** The alert of `ops/alerts.yml` on this gauge; null if there is none. */
  readonly alert: string | null;
  readonly query: RawBuilder<Measured>;
};

/** Seconds since the oldest of a column of timestamps; 0 if there is none. */
export const secondsSinceOldest = (since: string) =>
  sql`coalesce(max(extract(epoch from clock_timestamp() - ${sql.ref(since)})), 0)::float8`;

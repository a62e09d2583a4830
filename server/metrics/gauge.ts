import { type RawBuilder, sql } from 'kysely';

export type Measured = { value: number | string } & Record<string, number | string>;

/** A fact of all processes together, read in the database: the same whichever process is scraped. */
export type DatabaseGauge = {
  readonly name: string;
  readonly help: string;
  /** Columns of `ask` other than `value`, each with a bounded number of values. */
  readonly labels?: readonly string[];
  /** The alert of `ops/alerts.yml` that wakes an operator by it; null where it is for looking at. */
  readonly alert: string | null;
  readonly ask: RawBuilder<Measured>;
};

/** Seconds since the oldest of a column of moments; 0 where there is none. */
export const AGE = (since: string) =>
  sql`coalesce(max(extract(epoch from clock_timestamp() - ${sql.ref(since)})), 0)::float8`;

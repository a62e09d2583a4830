/** Takes over a database from before the baseline, whose schema came from single migrations. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';

export const BASELINE = 'Migration20261125000000_baseline';

/** The last migration of the oldest version that can be taken over. */
const OLDEST = 'Migration20261130600100_passkey';
const VERSION_BEFORE = '0.1.0 of 2026-11-24 (commit bfc2043e)';

/** The migrations between that version and the baseline, by name. A database that has them all has the baseline's schema. */
const LAST_BEFORE: ReadonlyMap<string, string> = new Map(
  readFileSync(path.join(import.meta.dirname, 'before-baseline.sql'), 'utf8')
    .split(/^-- (?=Migration)/m)
    .filter(Boolean)
    .map((section) => {
      const nameEnd = section.indexOf('\n');
      return [section.slice(0, nameEnd), section.slice(nameEnd)];
    }),
);

/** Returns whether single migrations made the schema, given the migrations a database has. */
export const isBeforeBaseline = (names: readonly string[]): boolean =>
  names.length > 0 && !names.includes(BASELINE);

/**
 * Refuses a database whose version is too old to take over.
 *
 * @throws Error with the version to start first
 */
export function refuseOlder(names: readonly string[]): void {
  if (!isBeforeBaseline(names) || names.includes(OLDEST)) return;
  throw new Error(
    `The database has the schema of an older version (${names.toSorted().at(-1)}), which this version cannot upgrade: start version ${VERSION_BEFORE} on it once, then this one. Nothing was changed.`,
  );
}

/**
 * Brings a database of single migrations to the schema of the baseline, and records the baseline in their place. The record has
 * the time of `step_digests`, because the ledger requires digests of rows written since. All of it happens, or nothing.
 *
 * @param owner a connection as the owner of the tables
 * @param names the migrations it has
 */
export async function adoptBaseline(owner: pg.Client, names: readonly string[]): Promise<void> {
  await owner.query('begin');
  try {
    for (const [name, statements] of LAST_BEFORE) {
      if (names.includes(name)) continue;
      await owner.query(statements);
      await owner.query('insert into schema_migration (name) values ($1)', [name]);
    }
    await owner.query(
      `with single as (delete from schema_migration where name <> $1 returning name, executed_at)
       insert into schema_migration (name, executed_at)
       select $1, max(executed_at) filter (where name like '%_step_digests') from single`,
      [BASELINE],
    );
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

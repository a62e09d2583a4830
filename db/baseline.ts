/** Takes over a database from before the baseline, whose schema single migrations had made. */

import type pg from 'pg';

export const BASELINE = 'Migration20261125000000_baseline';

/** The last migration before the baseline: a database that has it has the schema of the baseline. */
const LAST_BEFORE = 'Migration20261202120202_operation_run';
const VERSION_BEFORE = '0.1.0 of 2026-11-25 (commit d86613a0)';

/** Returns whether single migrations made the schema, given the migrations a database has. */
export const isBeforeBaseline = (names: readonly string[]): boolean =>
  names.length > 0 && !names.includes(BASELINE);

/**
 * Refuses a database that an older version left behind.
 *
 * @throws Error with the version to start first
 */
export function refuseOlder(names: readonly string[]): void {
  if (!isBeforeBaseline(names) || names.includes(LAST_BEFORE)) return;
  throw new Error(
    `The database has the schema of an older version (${names.toSorted().at(-1)}), which this version cannot upgrade: start version ${VERSION_BEFORE} on it once, then this one. Nothing was changed.`,
  );
}

/**
 * Records the baseline in place of the migrations it holds. Its time is that of `step_digests`: the ledger asks for
 * digests of what was written since.
 *
 * @param owner a connection as the owner of the tables
 */
export async function adoptBaseline(owner: pg.Client): Promise<void> {
  await owner.query(
    `with single as (delete from schema_migration where name <= $2 returning name, executed_at)
     insert into schema_migration (name, executed_at)
     select $1, max(executed_at) filter (where name like '%_step_digests') from single`,
    [BASELINE, LAST_BEFORE],
  );
}

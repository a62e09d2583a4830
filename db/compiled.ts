import { CompiledQuery } from 'kysely';
import type { Db } from './tables.ts';

/** Marks the position of a value in a compiled statement. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a statement at its first use and only fills in values from then on. Building a statement from its parts takes
 * longer than PostgreSQL needs to run a small one.
 *
 * @param build gets slots in place of the values, by name; its statement must not depend on the values themselves
 */
export function compileOnce<Values extends Record<string, unknown>, Row>(
  build: (db: Db, slots: Values) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let known: CompiledQuery<Row> | null = null;
  const slots = new Proxy({}, { get: (_target, name) => new Slot(String(name)) }) as Values;
  return async (db, values) => {
    known ??= build(db, slots);
    const filled = known.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(known.sql, filled));
    return rows;
  };
}

import type { CompiledQuery } from 'kysely';
import type { Db } from './tables.ts';

/** Marks the position of a value in a compiled statement. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a statement at its first use and only fills in values from then on. Values may be undefined: each combination has a
 * statement of its own. Building a statement from its parts takes longer than PostgreSQL needs to run a small one.
 *
 * @param build gets slots in place of the values, by name; its statement must not depend on the values themselves
 */
export function compileOnce<Values extends Record<string, unknown>, Row>(
  build: (db: Db, slots: Values) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const known = new Map<string, CompiledQuery<Row>>();
  return async (db, values) => {
    let given = '';
    for (const name in values) if (values[name] !== undefined) given += `${name} `;
    let statement = known.get(given);
    if (statement === undefined) {
      const names = given.trim().split(' ');
      statement = build(db, Object.fromEntries(names.map((name) => [name, new Slot(name)])) as Values);
      known.set(given, statement);
    }
    const filled = statement.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    const { rows } = await db.executeQuery<Row>({ ...statement, parameters: filled });
    return rows;
  };
}

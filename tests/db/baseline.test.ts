import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../db/migrating/migrate.ts';
import { CATALOGUE } from '../support/catalogue.ts';

/** The migrations before the baseline, each with its statements. */
const CHAIN = JSON.parse(
  zstdDecompressSync(
    readFileSync(new URL('../fixtures/migrations-2026-11-25.json.zst', import.meta.url)),
  ).toString(),
) as [name: string, statements: string[]][];
const DIGESTS_AT = '2026-11-25 12:00:00+00';

const run = randomBytes(6).toString('hex');
const names = {
  complete: `complete_${run}`,
  released: `released_${run}`,
  older: `older_${run}`,
  fresh: `fresh_${run}`,
};
/** The migrations of commit bfc2043e. */
const RELEASED = CHAIN.slice(0, 58);

async function within<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...inject('pg').owner, database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates a database as the version before the baseline left it, or an earlier one. */
async function makeByChain(database: string, migrations: typeof CHAIN): Promise<void> {
  await within('postgres', (client) => client.query(`create database ${database}`));
  await within(database, (client) =>
    client.query(
      [
        'create table schema_migration (id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6))',
        ...migrations.flatMap(([, statements]) => statements),
        `insert into schema_migration (name, executed_at) values ${migrations.map(([name]) => `('${name}', '${DIGESTS_AT}')`).join(', ')}`,
      ].join(';\n'),
    ),
  );
}

const migrate = (dbName: string) => migrateDatabase({ ...inject('pg').owner, dbName });
const rowsOf = (database: string, statement: string) =>
  within(database, async (client) => (await client.query(statement)).rows);

beforeAll(() => makeByChain(names.complete, CHAIN));
afterAll(() =>
  within('postgres', async (client) => {
    for (const name of Object.values(names))
      await client.query(`drop database if exists ${name} with (force)`);
  }),
);

describe('a database of the version before the baseline', () => {
  test('is upgraded: its catalogue is that of a fresh one', async () => {
    await migrate(names.complete);
    await migrate(names.fresh);
    const made = await rowsOf(names.fresh, CATALOGUE);
    expect(made.length).toBeGreaterThan(900);
    expect(await rowsOf(names.complete, CATALOGUE)).toEqual(made);
  });

  test('records the baseline once, at the time from which the ledger requires digests', async () => {
    await migrate(names.complete);
    const recorded = await rowsOf(
      names.complete,
      `select name, executed_at = '${DIGESTS_AT}' as "isSame" from schema_migration where name <= 'Migration20261125000000_baseline'`,
    );
    expect(recorded).toEqual([{ name: 'Migration20261125000000_baseline', isSame: true }]);
  });
});

describe('a database of the version before that', () => {
  test('is migrated to the schema of the baseline first: its catalogue is that of a fresh one', async () => {
    await makeByChain(names.released, RELEASED);
    await migrate(names.released);
    await migrate(names.fresh);
    expect(await rowsOf(names.released, CATALOGUE)).toEqual(await rowsOf(names.fresh, CATALOGUE));
  });

  test('has digests of its steps from the moment of the upgrade', async () => {
    const [row] = await rowsOf(
      names.released,
      `select executed_at > now() - interval '1 hour' as "isNow" from schema_migration where name <= 'Migration20261125000000_baseline'`,
    );
    expect(row).toEqual({ isNow: true });
  });
});

test('a database of an older version is refused with the version to start first, and is left unchanged', async () => {
  const migrations = CHAIN.slice(0, 40);
  await makeByChain(names.older, migrations);
  const before = await rowsOf(names.older, CATALOGUE);
  await expect(migrate(names.older)).rejects.toThrow(
    `The database has the schema of an older version (${migrations.at(-1)?.[0]}), which this version cannot upgrade: start version 0.1.0 of 2026-11-24 (commit bfc2043e) on it once, then this one. Nothing was changed.`,
  );
  expect(await rowsOf(names.older, CATALOGUE)).toEqual(before);
});

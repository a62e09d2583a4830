import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { ACCOUNT_TABLES } from '../../engine/usecases/personal-data/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const DISTRIBUTES = /^select create_distributed_table\('"?(\w+)"?'/;
const FOREIGN_KEYS = `select conrelid::regclass::text as child, conname as name from pg_constraint
  where contype = 'f' and connamespace = 'public'::regnamespace and confrelid <> 'instrument'::regclass order by 1, 2`;

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(clientConfig(database.owner));
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

type Result = pg.QueryArrayResult<[string]>;

/** Runs the script as psql does, but for the functions of Citus. Returns the tables that it would distribute, in order. */
async function runWithoutCitus(script: string): Promise<string[]> {
  const tables: string[] = [];
  for (const part of script.replaceAll(/^--.*$/gm, '').split('\\gexec')) {
    // Several statements have several results: the last is of the `select` before `\gexec`.
    const results: Result | Result[] = await owner.query<[string]>({ text: part, rowMode: 'array' });
    for (const [statement] of [results].flat().at(-1)?.rows ?? []) {
      const table = DISTRIBUTES.exec(statement)?.[1];
      if (table === undefined) await owner.query(statement);
      else tables.push(table);
    }
  }
  return tables;
}

test('the script that tries Citus distributes every table of an account, and leaves none a key that Citus refuses', async () => {
  const referencesBefore = (await owner.query(FOREIGN_KEYS)).rows;
  const [first, ...others] = await runWithoutCitus(
    readFileSync(new URL('../../ops/citus.sql', import.meta.url), 'utf8'),
  );
  expect(first).toBe('account');
  expect(others.sort()).toEqual(Object.keys(ACCOUNT_TABLES).sort());
  expect((await owner.query(FOREIGN_KEYS)).rows).toEqual(referencesBefore);
  const { rows: refused } = await owner.query(
    `
    select indexrelid::regclass::text as name from pg_index where indisunique and indrelid = any($1::regclass[])
      and not exists (select from pg_attribute where attrelid = indrelid and attname = 'account_id' and attnum = any(indkey))
    union all select polrelid::regclass::text from pg_policy where pg_get_expr(polqual, polrelid) ilike '%select%'
    union all select tgname from pg_trigger where tgnewtable is not null
    union all select conname from pg_constraint where confdeltype = 'n' and connamespace = 'public'::regnamespace`,
    [others.map((name) => `public.${name}`)],
  );
  expect(refused).toEqual([]);
});

import type { MikroORM } from '@mikro-orm/postgresql';
import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openOrm } from '../../db/orm.ts';
import { openedForFile } from '../support/opened.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
/** Only the owner sees the whole catalogue. */
let owner: MikroORM;

beforeAll(async () => {
  owner = await openOrm(world.database.owner, { keepSnapshot: true, poolMax: 1 });
});
afterAll(() => owner.close());

describe('the schema', () => {
  test('entities and the committed snapshot agree: no migration is missing', async () => {
    expect(await owner.migrator.checkSchema()).toBe(false);
    expect(await owner.migrator.getPending()).toEqual([]);
  });

  test('entities and the migrated database have the same tables and columns', async () => {
    const difference = await owner.schema.getUpdateSchemaSQL({ wrap: false });
    const statements = difference.split(';').map((statement) => statement.trim());
    // Constraints, indexes, triggers and policies are written by hand, and a default is compared by its spelling.
    const byHand =
      /^drop (index|trigger|function|policy)|^alter table "\w+" (drop constraint|disable row level security)|set default \(nextval/;
    expect(statements.filter((statement) => statement !== '' && !byHand.test(statement))).toEqual([]);
  });

  test('finding 3: MikroORM’s migrations do not touch any table of the framework', async () => {
    const difference = await owner.schema.getUpdateSchemaSQL();
    expect(difference).not.toMatch(/\b(drop|create) (table|schema)\b|\bauth\b/i);
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'auth'`.execute(world.db);
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['user', 'session', 'account', 'verification', 'jwks']));
  });

  test('finding 3: the framework has nothing to add to its own schema', async () => {
    const { compileMigrations } = await getMigrations(world.service.auth.options);
    expect((await compileMigrations()).trim()).toMatch(/^;?$/);
  });
});

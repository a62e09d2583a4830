import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../db/migrate.ts';
import { Wire } from '../support/wire.ts';

const owner = () => inject('pg').owner;
let dbName: string;
beforeEach(() => {
  dbName = `first_${randomBytes(6).toString('hex')}`;
});
afterEach(() => ask('postgres', `drop database if exists ${dbName} with (force)`));

async function ask(database: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...owner(), database });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const tablesIn = (database: string) =>
  ask(database, `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);

describe('first starts', () => {
  test.each(['parts', 'a URL'])(
    'many at once, told %s, make one database and nothing in another',
    async (form) => {
      const { host, port, user, password } = owner();
      const wire = await Wire.open({ host, port });
      const clientUrl = `postgresql://${user}:${password}@127.0.0.1:${wire.port}/${dbName}`;
      const connection = form === 'parts' ? { host, port, user, password, dbName } : { clientUrl };
      await Promise.all(Array.from({ length: 6 }, () => migrateDatabase(connection)));
      await wire.close();
      expect((await tablesIn(dbName)).length).toBeGreaterThan(20);
      expect(await tablesIn('postgres')).toEqual([]);
    },
  );
});

describe('a database that is there', () => {
  beforeEach(() => migrateDatabase({ ...owner(), dbName }));

  test('and was migrated by a newer version is refused in one sentence, and left as it is', async () => {
    await ask(dbName, `insert into schema_migration (name) values ('Migration20991231000000_future')`);
    const before = await tablesIn(dbName);
    await expect(migrateDatabase({ ...owner(), dbName })).rejects.toThrow(
      /^The database was migrated by a newer version \(Migration20991231000000_future\): start that version, or restore/,
    );
    expect(await tablesIn(dbName)).toEqual(before);
  });

  test('is waited for while another process migrates it', async () => {
    const other = new pg.Client({ ...owner(), database: dbName });
    await other.connect();
    await other.query('select pg_advisory_lock(7201611)');
    let isDone = false;
    const migrated = migrateDatabase({ ...owner(), dbName }).then(() => {
      isDone = true;
    });
    await sleep(600);
    expect(isDone).toBe(false);
    await other.end();
    await migrated;
  });
});

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../db/migrating/migrate.ts';
import { openPool, unscopedDb } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { connectDatabase } from '../../server/kernel/connect-database.ts';
import { begun } from '../support/begun.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';

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
    'many at once, configured by %s, make one database and change no other',
    { tags: ['long'] },
    async (form) => {
      const { host, port, user, password } = owner();
      const wire = await DatabaseProxy.open({ host, port });
      const clientUrl = `postgresql://${user}:${password}@127.0.0.1:${wire.port}/${dbName}`;
      const connection = form === 'parts' ? { host, port, user, password, dbName } : { clientUrl };
      await Promise.all(Array.from({ length: 6 }, () => migrateDatabase(connection)));
      await wire.close();
      expect((await tablesIn(dbName)).length).toBeGreaterThan(20);
      expect(await tablesIn('postgres')).toEqual([]);
    },
  );
});

describe('a migration', () => {
  const connection = () => ({ ...owner(), dbName });
  beforeEach(() => ask('postgres', `create database ${dbName}`));

  test('has no statement timeout: the service’s limit does not apply to it', {
    tags: ['long'],
  }, async () => {
    await ask(
      dbName,
      `create function refuse_limits() returns event_trigger language plpgsql as $$
        begin
          if current_setting('statement_timeout') <> '0' then raise 'limited'; end if;
          if current_setting('lock_timeout') = '0' then raise 'waits for ever'; end if;
        end $$;
        create event trigger refuse_limits on ddl_command_start execute function refuse_limits()`,
    );
    await migrateDatabase(connection());
    expect((await tablesIn(dbName)).length).toBeGreaterThan(20);
  });

  test('retries while another process locks a table it needs, and lets others use the table in between', {
    tags: ['long'],
  }, async () => {
    await ask(dbName, 'create table schema_migration (id serial, name varchar, executed_at timestamptz)');
    const holder = new pg.Client({ ...owner(), database: dbName });
    await holder.connect();
    await holder.query('begin; lock table schema_migration in exclusive mode');
    const migrated = begun(migrateDatabase(connection(), async () => {}));
    await sleep(1_500);
    expect(await tablesIn(dbName)).toEqual([{ relname: 'schema_migration' }]);
    await holder.end();
    await migrated;
    expect((await tablesIn(dbName)).length).toBeGreaterThan(20);
  });
});

describe.runIf(process.platform !== 'win32')('a URL that names the folder of a socket', () => {
  test.each([
    ['beside a host', (folder: string) => `localhost/${dbName}?host=${folder}`],
    ['and no host', (folder: string) => `/${dbName}?host=${folder}`],
    ['as its host', (folder: string) => `${folder}/${dbName}`],
  ])(
    '%s is where migrations and service go, each as its role',
    { tags: ['long'] },
    async (_how, addressIn) => {
      const { host, user, password, port } = owner();
      const address = addressIn(encodeURIComponent(host)).replace('localhost', `localhost:${port}`);
      const { databaseUrl } = readConfig({ DATABASE_URL: `postgres://${user}:${password}@${address}` });
      const { access } = await connectDatabase(
        { databaseUrl, databaseDirectUrl: null, migrationDatabaseUrl: null, dataDir: null, walArchive: null },
        () => {},
      );
      const warnings: string[] = [];
      const pool = await openPool(await prepareDatabase(access, (message) => warnings.push(message)));
      const { rows: identity } = await sql
        .raw('select current_database() as name, current_user as role, inet_server_addr() as address')
        .execute(unscopedDb(pool));
      await pool.close();
      await ask('postgres', `drop database ${dbName} with (force)`);
      await ask('postgres', `drop role ${dbName}_app`);
      expect({ identity, warnings }).toEqual({
        identity: [{ name: dbName, role: `${dbName}_app`, address: null }],
        warnings: [],
      });
    },
  );
});

describe('an existing database', () => {
  beforeEach(() => migrateDatabase({ ...owner(), dbName }));

  test('that a newer version migrated is refused in one sentence, and left unchanged', {
    tags: ['long'],
  }, async () => {
    await ask(dbName, `insert into schema_migration (name) values ('Migration20991231000000_future')`);
    const before = await tablesIn(dbName);
    await expect(migrateDatabase({ ...owner(), dbName })).rejects.toThrow(
      /^The database was migrated by a newer version \(Migration20991231000000_future\): start that version, or restore/,
    );
    expect(await tablesIn(dbName)).toEqual(before);
  });

  test('is awaited while another process migrates it', { tags: ['long'] }, async () => {
    const other = new pg.Client({ ...owner(), database: dbName });
    await other.connect();
    await other.query('select pg_advisory_lock(7201611)');
    let isDone = false;
    const migrated = begun(
      migrateDatabase({ ...owner(), dbName }).then(() => {
        isDone = true;
      }),
    );
    await sleep(600);
    expect(isDone).toBe(false);
    await other.end();
    await migrated;
  });
});

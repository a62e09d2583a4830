import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { EmbeddedPostgres } from '../../db/embedded.ts';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { clientConfig, migrateDatabase } from '../../db/migrating/migrate.ts';
import type { DatabaseConnection } from '../../db/orm.ts';
import { type DatabaseAccess, prepareDatabase, withLogin } from '../../db/prepare.ts';
import { TABLE_RIGHTS } from '../../db/privileges.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { openWorld, type World } from '../support/world.ts';

const APPEND_ONLY = ['audit_event', 'order_transition', 'fill', 'fill_allocation', 'cash_entry'];

async function connect(connection: DatabaseConnection): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(clientConfig(connection));
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Runs one statement as this role, and returns its result. */
async function ask(connection: DatabaseConnection, statement: string, values: unknown[] = []) {
  await using client = await connect(connection);
  return (await client.query(statement, values)).rows;
}

describe('the role of the service', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const asService = (statement: string) => ask(world.database.connection, statement);

  test('holds exactly the rights that were decided for each table, and each table has a decision', async () => {
    const { user } = inject('pg').app;
    const { rows } = await sql<{ name: string; held: string[] }>`
      select n.nspname || '.' || c.relname as name,
        coalesce(array_agg(lower(a.privilege_type)) filter (where a.privilege_type is not null), '{}') as held
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        left join lateral aclexplode(c.relacl) a on a.grantee = (select oid from pg_roles where rolname = ${user})
      where n.nspname in ('public', 'auth') and c.relkind in ('r', 'p') group by 1`.execute(world.db);
    const sorted = (rights: readonly string[] = ['undecided']) => [...rights].sort();
    expect(Object.fromEntries(rows.map(({ name, held }) => [name, sorted(held)]))).toEqual(
      Object.fromEntries(rows.map(({ name }) => [name, sorted(TABLE_RIGHTS[name])])),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(TABLE_RIGHTS).sort());
  });

  test('is the only role that may call functions which run as the owner', async () => {
    const { rows } = await sql<{ name: string; grantees: string[] }>`
      select p.proname as name, array_agg(a.grantee::regrole::text) filter (where a.grantee <> p.proowner) as grantees
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where n.nspname in ('public', 'auth') and p.prosecdef group by 1`.execute(world.db);
    expect(rows.map(({ name }) => name)).toContain('delete_denied');
    for (const { name, grantees } of rows)
      expect({ name, grantees }).toEqual({ name, grantees: [inject('pg').app.user] });
  });

  test('cannot pose as the owner by a temporary table that a trigger would read instead of the catalog', async () => {
    const { rows } = await sql`select proname from pg_proc
      where prosrc like '%relowner%' and pronamespace = 'public'::regnamespace
        and not coalesce('search_path=pg_catalog, public, pg_temp' = any(proconfig), false)`.execute(
      world.db,
    );
    expect(rows).toEqual([]);
  });

  test('owns nothing, is no superuser, creates no roles and never bypasses row-level security', async () => {
    expect(
      await asService(`select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        (select count(*)::int from pg_shdepend where refobjid = r.oid and deptype = 'o') as owned,
        (select count(*)::int from pg_auth_members where member = r.oid) as memberships
        from pg_roles r where rolname = current_user`),
    ).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
        owned: 0,
        memberships: 0,
      },
    ]);
  });

  test.each([
    ['set session_replication_role = replica', 'permission denied to set parameter'],
    ['set role postgres', 'permission denied to set role'],
    ['alter table fill disable trigger all', 'must be owner'],
    ['alter table fill disable row level security', 'must be owner'],
    ['alter table fill add column note text', 'must be owner'],
    ['drop trigger fill_append_only on fill', 'must be owner'],
    ['drop table quote', 'must be owner'],
    ['alter function refuse_change() owner to current_user', 'must be owner'],
    [
      'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
      'permission denied',
    ],
    ['create table own (id int)', 'permission denied'],
    ['create temporary table own (id int)', 'permission denied'],
    ['create table auth.own (id int)', 'permission denied'],
    ['create schema own', 'permission denied'],
    ["update schema_migration set name = ''", 'permission denied'],
    ['delete from account', 'permission denied'],
    ['delete from trade_order', 'permission denied'],
    ['delete from position', 'permission denied'],
    ["update membership set role = 'owner'", 'permission denied'],
  ])('may not: %s', async (statement, refusal) => {
    await expect(asService(statement)).rejects.toThrow(refusal);
  });

  test.each(APPEND_ONLY)('may not change, delete or empty %s', async (table) => {
    for (const statement of [`update ${table} set account_id = account_id`, `delete from ${table}`])
      await expect(asService(statement)).rejects.toThrow('permission denied');
  });

  test('may truncate no table', async () => {
    for (const table of Object.keys(TABLE_RIGHTS))
      await expect(asService(`truncate ${quoted(table)} cascade`), table).rejects.toThrow(
        'permission denied',
      );
  });
});

const quoted = (name: string) => name.split('.').map(pg.escapeIdentifier).join('.');

describe('an operator’s own PostgreSQL', () => {
  let database: TestDatabase;
  const roles: string[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await database.drop();
    for (const role of roles.splice(0)) await asSuperuser(`drop role if exists ${role}`);
  });

  const asSuperuser = (statement: string) => ask({ ...inject('pg').owner, dbName: 'postgres' }, statement);

  /** Creates a role for this test, with a database that it owns. */
  async function ownerWith(attributes: string): Promise<DatabaseConnection & { dbName: string }> {
    const user = `owner_${database.owner.dbName}`;
    const dbName = `own_${database.owner.dbName}`;
    await asSuperuser(`create role ${user} login password 'secret' ${attributes}`);
    await asSuperuser(`create database ${dbName} owner ${user}`);
    roles.push(`${dbName}_app`, user);
    return { ...database.owner, user, password: 'secret', dbName };
  }

  /** Prepares the database, returns the service's role and the warnings, and removes the database. */
  async function prepared(owner: DatabaseConnection & { dbName: string }, app: DatabaseAccess['app']) {
    const warnings: string[] = [];
    try {
      const connection = await prepareDatabase({ owner, app }, (message) => warnings.push(message));
      const [row] = await ask(connection, 'select current_user as role, count(*)::int as shards from shard');
      return { ...row, warnings };
    } finally {
      await asSuperuser(`drop database ${owner.dbName} with (force)`);
    }
  }

  const loginFor = ({ dbName }: { dbName: string }) => ({
    login: { user: `${dbName}_app`, password: 'derived' },
  });

  test('an owner that may create roles creates one for the service, which uses it', {
    tags: ['long'],
  }, async () => {
    const owner = await ownerWith('createrole');
    expect(await prepared(owner, loginFor(owner))).toEqual({
      role: `${owner.dbName}_app`,
      shards: 0,
      warnings: [],
    });
  });

  test('an owner that may not create roles is the service’s role, with a warning', {
    tags: ['long'],
  }, async () => {
    const owner = await ownerWith('nocreaterole');
    const { role, warnings } = await prepared(owner, loginFor(owner));
    expect(role).toBe(`owner_${database.owner.dbName}`);
    expect(warnings).toEqual([expect.stringContaining('its role may not make roles')]);
  });

  test('an existing role of that name with another creator is left unchanged', {
    tags: ['long'],
  }, async () => {
    const owner = await ownerWith('createrole');
    const [user] = [`${owner.dbName}_app`];
    await asSuperuser(`create role ${user} login password 'theirs'`);
    const { role, warnings } = await prepared(owner, loginFor(owner));
    expect(role).toBe(`owner_${database.owner.dbName}`);
    expect(warnings).toEqual([expect.stringContaining(`there is a role ${user} that is not the service's`)]);
    await ask({ ...inject('pg').owner, user, password: 'theirs', dbName: 'postgres' }, 'select 1');
  });

  test('two connections: one for migrations, one for the service, whose rights are only those given', {
    tags: ['long'],
  }, async () => {
    const owner = await ownerWith('nocreaterole');
    const user = `${owner.dbName}_app`;
    await asSuperuser(`create role ${user} login password 'set up'`);
    const connection = withLogin(owner, { user, password: 'set up' });
    expect(await prepared(owner, { connection })).toEqual({ role: user, shards: 0, warnings: [] });
  });

  test('one connection that owns nothing serves a database that is up to date; otherwise it reports what is missing', async () => {
    const { connection, owner } = database;
    expect(await prepareDatabase({ owner: connection, app: null })).toBe(connection);
    await ask(owner, 'delete from schema_migration where id = (select max(id) from schema_migration)');
    await expect(prepareDatabase({ owner: connection, app: null })).rejects.toThrow(
      '1 migrations are pending, and the role of DATABASE_URL does not own the tables: set MIGRATION_DATABASE_URL to their owner.',
    );
  });

  test('a changed password is set again, and a second preparation changes nothing', {
    tags: ['long'],
  }, async () => {
    const owner = await ownerWith('createrole');
    const before = await prepareDatabase({ owner, app: loginFor(owner) });
    const user = `${owner.dbName}_app`;
    const after = await prepareDatabase({ owner, app: { login: { user, password: 'another' } } });
    await ask(after, 'select 1 from shard');
    await expect(ask(before, 'select 1')).rejects.toThrow('password authentication failed');
    await prepared(owner, { login: { user, password: 'another' } });
  });
});

describe('the built-in database', () => {
  let playground: EmbeddedFolders;

  beforeEach(() => {
    playground = new EmbeddedFolders();
  });
  afterEach(() => playground[Symbol.asyncDispose]());

  const start = (dir: string) => startEmbeddedPostgres({ dir, durable: false });
  const ownerOf = ({ host, port, user, password }: EmbeddedPostgres) => ({
    host,
    port,
    user,
    password,
    dbName: 'trading',
  });

  test('stores the password of each role in a file that only its own user can read', {
    tags: ['long'],
  }, async () => {
    const dir = playground.dir();
    const server = await start(dir);
    for (const name of ['service-password', 'application-password'])
      expect(statSync(path.join(dir, 'data', name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(dir, 'data', 'application-password'), 'utf8')).toBe(server.app.password);
    await server.stop();
  });

  test('a folder from before the second role gets it at its next start, and loses nothing', {
    tags: ['long'],
  }, async () => {
    const dir = playground.dir();
    const old = await start(dir);
    rmSync(path.join(dir, 'data', 'application-password'));
    await migrateDatabase(ownerOf(old));
    await ask(
      ownerOf(old),
      `insert into account (id, name, created_at) values (gen_random_uuid(), 'Old', now())`,
    );
    expect(await ask(ownerOf(old), `select from pg_roles where rolname = 'trading_app'`)).toEqual([]);
    await old.stop();

    const server = await start(dir);
    const places = { owner: ownerOf(server), app: { login: server.app } };
    const connection = await prepareDatabase(places);
    expect(await ask(connection, 'select current_user as role')).toEqual([{ role: 'trading_app' }]);
    expect(await ask(ownerOf(server), 'select name from account')).toEqual([{ name: 'Old' }]);
    await server.stop();
    const again = await start(dir);
    expect(again.app).toEqual(server.app);
    await again.stop();
  });
});

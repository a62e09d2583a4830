import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { keepsSession } from '../../db/pooling/find-pooler.ts';
import { openEventListener } from '../../server/http/event-listener.ts';
import { connectDatabase } from '../../server/kernel/connect-database.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { LockSession } from '../../server/kernel/rounds/lock-session.ts';
import { waitUntil } from '../ha/cluster-process.ts';
import { bearer } from '../support/api.ts';
import { addBlueprint } from '../support/trading.ts';
import { type Account, openWorld, type World } from '../support/world.ts';
import { SESSIONS_MAX } from './start-pooler.ts';

const CLIENTS = 100;

let world: World;
let accounts: Account[];
let url: string;
let directUrl: string;
beforeAll(async () => {
  world = await openWorld();
  accounts = [];
  for (let made = 0; made < CLIENTS; made++) accounts.push(await world.account());
  for (const account of accounts) await addBlueprint(account, `Of ${account.accountId}`);
  const { pooler, ...direct } = world.database.connection;
  if (pooler === undefined) throw new Error('This run has no pooler.');
  [url, directUrl] = [urlOf(pooler), urlOf(direct)];
});
afterAll(() => world.close());

type Place = { host: string; port: number; user: string; password: string; dbName: string };
const urlOf = ({ user, password, dbName, ...place }: Place): string =>
  `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(place.host)}:${place.port}/${dbName}`;

/** Sessions of the service's role that PostgreSQL has for this database, past listeners and locks. */
async function sessions(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and usename = ${world.database.connection.user}
      and application_name <> 'listener'`.execute(world.db);
  return rows[0]?.n ?? 0;
}

test('a hundred clients share few sessions, and each sees the rows of its own account alone', async () => {
  const pool: Pool = await openPool(world.database.connection, {
    poolMax: CLIENTS,
    acquireTimeoutMs: 30_000,
  });
  const owners = (db: ReturnType<Pool['handle']>) =>
    db.selectFrom('blueprint').select('account_id').distinct().execute();
  const most: number[] = [];
  await Promise.all(
    accounts.map(async ({ accountId }) => {
      const db = pool.handle(accountId);
      for (let turn = 0; turn < 5; turn++) {
        expect(await owners(db)).toEqual([{ account_id: accountId }]);
        await db.transaction().execute(async (tx) => {
          expect(await owners(tx)).toEqual([{ account_id: accountId }]);
          await tx
            .updateTable('blueprint')
            .set({ name: `${turn} of ${accountId}` })
            .execute();
        });
      }
      most.push(await sessions());
    }),
  );
  expect(pool.native.totalCount).toBe(CLIENTS);
  expect(Math.max(...most)).toBeLessThanOrEqual(SESSIONS_MAX);
  const names = await world.db.selectFrom('blueprint').select(['account_id', 'name']).execute();
  expect(new Set(names.map(({ account_id, name }) => name === `4 of ${account_id}`))).toEqual(
    new Set([true]),
  );
  await pool.close();
});

test('a hundred callers of the API, twenty at once, get their own answers, keys checked in the same flight', async () => {
  // Twice, because a key that was seen is checked in the flight of its first statement.
  for (const part of [...inParts(accounts, 20), ...inParts(accounts, 20)])
    await Promise.all(
      part.map(async ({ key, accountId }) => {
        const { status, text } = await world.send('GET', '/api/blueprints', { headers: bearer(key) });
        expect({ status, text }).toMatchObject({ status: 200 });
        expect(text.match(/of [\da-f-]{36}/gi)).toEqual([expect.stringContaining(accountId)]);
      }),
    );
});

function inParts<Item>(all: readonly Item[], size: number): Item[][] {
  return Array.from({ length: all.length / size }, (_, part) => all.slice(part * size, (part + 1) * size));
}

test('no session of the server keeps an account, a limit or a statement after its transaction', async () => {
  const { pooler } = world.database.connection;
  const clients = Array.from(
    { length: SESSIONS_MAX },
    () => new pg.Client(clientConfig(pooler ?? world.database.owner)),
  );
  for (const client of clients) {
    await client.connect();
    await client.query('begin');
    const { rows } =
      await client.query(`select coalesce(current_setting('app.account_id', true), '') as scope,
      current_setting('statement_timeout') as timeout, (select count(*)::int from pg_prepared_statements) as prepared,
      (select count(*)::int from blueprint) as visible`);
    expect(rows).toEqual([{ scope: '', timeout: '0', prepared: 0, visible: 0 }]);
  }
  for (const client of clients) await client.end();
});

test('a session lock is held past the pooler, by one process', async () => {
  const [one, two] = [
    new LockSession(world.pool, 'equity', 5_000),
    new LockSession(world.pool, 'equity', 5_000),
  ];
  expect(await one.hold()).toBe(true);
  expect(await two.hold()).toBe(false);
  await one.close();
  await waitUntil('the lock is free', () => two.hold(), { withinMs: 10_000 });
  await two.close();
});

test('a commit in one process is heard by another, which listens past the pooler', async () => {
  const { promise: listening, resolve: listens } = Promise.withResolvers<void>();
  const { promise: heard, resolve: hears } = Promise.withResolvers<void>();
  const listener = openEventListener({
    connection: world.database.connection,
    pool: world.pool,
    log: openLogger('silent', 'stdout'),
    onListening: (isListening) => isListening && listens(),
    onCommit: hears,
  });
  await listening;
  await accounts[0]?.http('POST', '/api/blueprints/stop');
  await heard;
  await listener.stop();
});

const settings = { migrationDatabaseUrl: null, dataDir: null, walArchive: null };
const opened = (databaseUrl: string, databaseDirectUrl: string | null) =>
  connectDatabase({ ...settings, databaseUrl, databaseDirectUrl }, () => {});

test('the start finds a pooler in transaction mode, and says what to set', async () => {
  expect(await keepsSession({ connectionString: directUrl })).toBe(true);
  await expect(opened(url, null)).rejects.toThrow(
    'set DATABASE_DIRECT_URL to the same database past the pooler',
  );
  await expect(opened(url, url)).rejects.toThrow('set it to the address of PostgreSQL');
  await expect(opened(directUrl, null)).resolves.toMatchObject({ poolerUrl: null });
  await expect(opened(url, directUrl)).resolves.toMatchObject({ poolerUrl: url });
});

test('two addresses of different databases are refused at the start', async () => {
  const { owner } = inject('pg');
  const other = urlOf({ ...owner, dbName: 'postgres' });
  await expect(opened(url, other)).rejects.toThrow('lead to different databases');
});

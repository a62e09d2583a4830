import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { BoundedClient, KEEP_ALIVE } from '../client.ts';
import { isExistingDatabase, isLockTimeout, isMissingDatabase } from '../database-errors.ts';
import { type DatabaseConnection, MIGRATIONS_FOLDER, openOrm } from '../orm.ts';
import { adoptBaseline, isBeforeBaseline, refuseOlder } from './baseline.ts';

/** Any fixed number: every process of ours requests the same lock. */
const MIGRATION_LOCK = 7_201_611;
/** The timeout for migrations of another process. */
const LOCK_WITHIN_MS = 60_000;
const LOCK_RETRY_MS = 200;
const CONNECT_WITHIN_MS = 5_000;
/** A migration that waits for a table blocks all others on it. It therefore waits briefly, and retries. */
const TABLE_LOCK_MS = 1_000;
const TABLE_RETRY_MS = 500;
/** A migration of many rows may take this long; a server that vanishes is noticed by its connection (`KEEP_ALIVE`). */
const MIGRATE_WITHIN_MS = 6 * 3_600_000;

/**
 * Creates the database if it is missing, brings its schema up to date, and lets the owner `settle` the rest. A role that
 * does not own the tables only checks whether anything is pending.
 *
 * Processes that start together take turns under an advisory lock: without it, all but one of them fail. A statement of
 * a migration has no timeout. All pending migrations succeed together, or nothing has happened.
 *
 * @throws Error in one sentence: the schema is newer or too old, or this role may not run the pending migrations. Or another
 *   session holds the lock or a table for a minute
 */
export async function migrateDatabase(
  connection: DatabaseConnection,
  settle: (owner: pg.Client) => Promise<void> = async () => {},
): Promise<void> {
  await ensureDatabase(connection);
  const lock = await connect(clientConfig(connection));
  try {
    await takeTurn(lock);
    const orm = await openOrm(connection, {
      poolMax: 2,
      statementTimeoutMs: 0,
      lockTimeoutMs: TABLE_LOCK_MS,
      answerWithinMs: MIGRATE_WITHIN_MS,
    });
    try {
      const names = await readNames(lock);
      refuseOlder(names);
      refuseNewer(names);
      if (await mayMigrate(lock)) {
        if (isBeforeBaseline(names)) await withTables(() => adoptBaseline(lock, names));
        await withTables(() => orm.migrator.up());
        await withTables(() => settle(lock));
      } else await refusePending(orm);
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end();
  }
}

/** Retries while another session holds a table that has to be altered; between two attempts waiting sessions continue. */
async function withTables(work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + LOCK_WITHIN_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > deadline) break;
    }
    await sleep(TABLE_RETRY_MS);
  }
  throw new Error(
    `Another session has kept a table locked that a migration has to alter, for ${LOCK_WITHIN_MS / 1_000} s: see pg_locks for who it is. Nothing was migrated.`,
  );
}

async function connect(config: pg.ClientConfig, lockTimeoutMs = TABLE_LOCK_MS): Promise<BoundedClient> {
  const client = new BoundedClient({
    ...config,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    session: { lock_timeout: lockTimeoutMs },
  });
  client.on('error', () => {}); // the next statement reports it
  await client.connect();
  return client;
}

/** The lock belongs to the session: it ends with the connection. */
async function takeTurn(client: pg.Client): Promise<void> {
  const deadline = performance.now() + LOCK_WITHIN_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    if (performance.now() > deadline) break;
    await sleep(LOCK_RETRY_MS);
  }
  throw new Error(
    `Another session has held the migration lock (advisory lock ${MIGRATION_LOCK}) for ${LOCK_WITHIN_MS / 1_000} s: see pg_locks for who it is. A connection pooler in transaction mode may keep it for ever: set DATABASE_DIRECT_URL to an address past it.`,
  );
}

/** Returns the migrations of the database, none if it is empty. */
async function readNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ made: boolean }>(
    `select to_regclass('public.schema_migration') is not null as made`,
  );
  if (!rows[0]?.made) return [];
  const { rows: done } = await client.query<{ name: string }>(
    'select name from schema_migration order by name',
  );
  return done.map(({ name }) => name.replace(/\.ts$/, ''));
}

/** Refuses a schema that a newer version made: this one must not write to it. */
function refuseNewer(names: readonly string[]): void {
  if (isBeforeBaseline(names)) return;
  const known = new Set(readdirSync(MIGRATIONS_FOLDER).map((file) => file.replace(/\.ts$/, '')));
  const newer = names.filter((name) => !known.has(name));
  if (newer.length === 0) return;
  throw new Error(
    `The database was migrated by a newer version (${newer.join(', ')}): start that version, or restore the backup made before the upgrade.`,
  );
}

/** True for the owner of the tables, and while there are none. */
async function mayMigrate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select coalesce((select pg_has_role(relowner, 'member') from pg_class
       where oid = to_regclass('public.schema_migration')), true) as may`,
  );
  return rows[0]?.may === true;
}

async function refusePending(orm: MikroORM): Promise<void> {
  const pending = await orm.migrator.getPending();
  if (pending.length === 0) return;
  throw new Error(
    `${pending.length} migrations are pending, and the role of DATABASE_URL does not own the tables: set MIGRATION_DATABASE_URL to their owner.`,
  );
}

/** Creates the database if there is none, over its own connection: no other code of ours uses the server's own database. */
async function ensureDatabase(connection: DatabaseConnection): Promise<void> {
  const config = clientConfig(connection);
  try {
    const client = await connect(config);
    await client.end();
    return;
  } catch (error) {
    if (!isMissingDatabase(error)) throw error;
  }
  const { database } = new pg.Client(config);
  // Two first starts: the second waits here for the first, which needs seconds on a slow disk.
  const server = await connect(clientConfig(elsewhere(connection, 'postgres')), LOCK_WITHIN_MS);
  try {
    await server.query(`create database ${pg.escapeIdentifier(database ?? '')}`);
  } catch (error) {
    // Two first starts may both find no database. The later one then finds it created, which is fine.
    if (!isExistingDatabase(error)) throw error;
  } finally {
    await server.end();
  }
}

/** Another database of the same server, as the same user. */
function elsewhere(connection: DatabaseConnection, dbName: string): DatabaseConnection {
  if (!('clientUrl' in connection)) return { ...connection, dbName };
  const url = new URL(connection.clientUrl);
  url.pathname = `/${dbName}`;
  return { clientUrl: url.href };
}

/** The address past any pooler, in the form that `pg` needs. */
export function clientConfig(connection: DatabaseConnection): pg.ClientConfig {
  if ('clientUrl' in connection) return { connectionString: connection.clientUrl };
  const { host, port, user, password, dbName } = connection;
  return { host, port, user, password, database: dbName };
}

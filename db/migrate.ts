import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type DatabaseConnection, openDatabase } from './orm.ts';

/** Any fixed number: every process of ours asks for the same one. */
const MIGRATION_LOCK = 7_201_611;

/**
 * Creates the database where it is missing, brings its schema up to date, and lets the owner `settle` what else it
 * has to. A role that does not own the tables only asks whether anything is pending.
 *
 * Processes that start together take turns under an advisory lock: without it, all but one of them fail.
 *
 * @throws Error when migrations are pending that this role may not run
 */
export async function migrateDatabase(
  connection: DatabaseConnection,
  settle: (owner: pg.Client) => Promise<void> = async () => {},
): Promise<void> {
  const orm = await openDatabase(connection, { poolMax: 2 });
  try {
    await ensureDatabase(orm);
    const lock = new pg.Client(clientConfig(connection));
    await lock.connect();
    try {
      await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      if (await mayMigrate(lock)) {
        await orm.migrator.up();
        await settle(lock);
      } else await refusePending(orm);
    } finally {
      await lock.end();
    }
  } finally {
    await orm.close(true);
  }
}

/** True for whoever made the tables, and while there are none. */
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

const DUPLICATE_DATABASE = new Set(['42P04', '23505']);

/** Two first starts may both find no database; the one that comes second finds it made, which is fine. */
async function ensureDatabase(orm: MikroORM): Promise<void> {
  try {
    await orm.schema.ensureDatabase();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && DUPLICATE_DATABASE.has(String(error.code))))
      throw error;
  }
}

/** The same place, in the words of `pg`. */
export function clientConfig(connection: DatabaseConnection): pg.ClientConfig {
  if ('clientUrl' in connection) return { connectionString: connection.clientUrl };
  const { dbName, ...rest } = connection;
  return { ...rest, database: dbName };
}

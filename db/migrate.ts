import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type DatabaseConnection, openDatabase } from './orm.ts';

/** Any fixed number: every process of ours asks for the same one. */
const MIGRATION_LOCK = 7_201_611;

/**
 * Creates the database where it is missing and brings its schema up to date.
 *
 * Processes that start together take turns under an advisory lock: without it, all but one of them fail.
 */
export async function migrateDatabase(connection: DatabaseConnection): Promise<void> {
  const orm = await openDatabase(connection, { poolMax: 2 });
  try {
    await ensureDatabase(orm);
    const lock = new pg.Client(clientConfig(connection));
    await lock.connect();
    try {
      await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await orm.migrator.up();
    } finally {
      await lock.end();
    }
  } finally {
    await orm.close(true);
  }
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

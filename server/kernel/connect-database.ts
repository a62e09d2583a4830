import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isBusyServer, isMissingDatabase } from '../../db/database-errors.ts';
import { defaultDataDir, startEmbeddedPostgres } from '../../db/embedded.ts';
import { clientConfig } from '../../db/migrating/migrate.ts';
import type { DatabaseAccess } from '../../db/prepare.ts';
import { type RetryOptions, whenAvailable } from '../../db/when-available.ts';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** Name of the built-in database. */
export const DATABASE_NAME = 'trading';
const WAIT_MS = 5_000;

export const dataDirOf = (config: Pick<Config, 'dataDir'>): string =>
  config.dataDir ?? defaultDataDir(PROJECT);

export type OpenedDatabase = {
  access: DatabaseAccess;
  /** Call last: stops the embedded database, unless another process of the service still uses it. */
  release: () => Promise<void>;
};

/**
 * Opens the database of this configuration: that of `DATABASE_URL`, or the embedded one, started if needed.
 *
 * @param retryOptions waits for a busy server; without it, the first failure is final
 * @throws StartError if a database named in the settings does not answer.
 */
export async function connectDatabase(
  {
    databaseUrl,
    migrationDatabaseUrl,
    dataDir,
    walArchive,
  }: Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl' | 'dataDir' | 'walArchive'>,
  log: (message: string) => void,
  retryOptions: RetryOptions | null = null,
): Promise<OpenedDatabase> {
  if (databaseUrl !== null) {
    if (migrationDatabaseUrl !== null)
      await refuseUnreachable(migrationDatabaseUrl, 'MIGRATION_DATABASE_URL', retryOptions);
    await refuseUnreachable(databaseUrl, 'DATABASE_URL', retryOptions);
    const access = databaseAccessOf(databaseUrl, migrationDatabaseUrl);
    return { access, release: async () => {} };
  }
  const embedded = await startEmbeddedPostgres({
    dir: dataDirOf({ dataDir }),
    walArchive: walArchive ?? undefined,
    keepRunning: true,
    log,
  });
  const { host, port, user, password, app } = embedded;
  return {
    access: { owner: { host, port, user, password, dbName: DATABASE_NAME }, app: { login: app } },
    release: () => embedded.stop(),
  };
}

/** With one URL its role owns the tables, and creates another for the service if it may. */
export function databaseAccessOf(databaseUrl: string, migrationDatabaseUrl: string | null): DatabaseAccess {
  const connection = { clientUrl: databaseUrl };
  return migrationDatabaseUrl === null
    ? { owner: connection, app: applicationLogin(databaseUrl) }
    : { owner: { clientUrl: migrationDatabaseUrl }, app: { connection } };
}

/**
 * Returns the login that the service creates beside the owner's. Its password is derived from the owner's, so every process
 * with the same `DATABASE_URL` knows it. It is stored nowhere, and the owner's cannot be derived from it.
 */
function applicationLogin(databaseUrl: string): DatabaseAccess['app'] {
  const { username, password, pathname } = new URL(databaseUrl);
  if (password === '') return null;
  const database = decodeURIComponent(pathname.slice(1) || username);
  const derived = createHmac('sha256', decodeURIComponent(password)).update(
    `application role of ${database}`,
  );
  return { login: { user: `${database.slice(0, 59)}_app`, password: derived.digest('base64url') } };
}

/** Reports at once a database that does not answer; with patience, waits for one that is only busy. */
async function refuseUnreachable(
  clientUrl: string,
  setting: string,
  retryOptions: RetryOptions | null,
): Promise<void> {
  const connect = async () => {
    const client = new pg.Client({ ...clientConfig({ clientUrl }), connectionTimeoutMillis: WAIT_MS });
    try {
      await client.connect();
    } finally {
      await client.end().catch(() => {});
    }
  };
  try {
    await (retryOptions ? whenAvailable(connect, { ...retryOptions, isRetryable: isBusyServer }) : connect());
  } catch (error) {
    if (isMissingDatabase(error)) return; // migrating creates it
    throw new StartError(
      `The database of ${setting} cannot be used (${reasonOf(error)}): check its address, its user and whether it runs.`,
    );
  }
}

/** Returns the first readable reason in an error; a refused connection has one error per address tried. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isBusyServer, isLoginRefused, isMissingDatabase } from '../../db/database-errors.ts';
import { defaultDataDir, startEmbeddedPostgres } from '../../db/embedded.ts';
import { clientConfig } from '../../db/migrating/migrate.ts';
import type { DatabaseConnection } from '../../db/orm.ts';
import { databaseIdOf, keepsSession } from '../../db/pooling/find-pooler.ts';
import { type DatabaseAccess, withLogin } from '../../db/prepare.ts';
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
  /** The pooler in transaction mode in front of it. */
  poolerUrl: string | null;
  /** Call last: stops the embedded database, unless another process of the service still uses it. */
  release: () => Promise<void>;
};

type DatabaseSettings = Pick<
  Config,
  'databaseUrl' | 'databaseDirectUrl' | 'migrationDatabaseUrl' | 'dataDir' | 'walArchive'
>;

/**
 * Opens the database of this configuration: that of `DATABASE_URL`, or the embedded one, started if needed.
 *
 * @param retryOptions waits for a busy server; without it, the first failure is final
 * @throws StartError if a database named in the settings does not answer.
 */
export async function connectDatabase(
  { databaseUrl, databaseDirectUrl, migrationDatabaseUrl, dataDir, walArchive }: DatabaseSettings,
  log: (message: string) => void,
  retryOptions: RetryOptions | null = null,
): Promise<OpenedDatabase> {
  if (databaseUrl !== null) {
    if (migrationDatabaseUrl !== null)
      await refuseUnreachable(migrationDatabaseUrl, 'MIGRATION_DATABASE_URL', retryOptions);
    await refuseUnreachable(databaseUrl, 'DATABASE_URL', retryOptions);
    if (databaseDirectUrl !== null)
      await refuseUnreachable(databaseDirectUrl, 'DATABASE_DIRECT_URL', retryOptions);
    await ifBusyAgain(() => refuseWithoutSession(databaseUrl, databaseDirectUrl), retryOptions);
    const access = databaseAccessOf(databaseDirectUrl ?? databaseUrl, migrationDatabaseUrl);
    return { access, poolerUrl: databaseDirectUrl && databaseUrl, release: async () => {} };
  }
  const embedded = await startEmbeddedPostgres({
    dir: dataDirOf({ dataDir }),
    walArchive: walArchive ?? undefined,
    keepRunning: true,
    log,
  });
  const { host, port, user, password, app } = embedded;
  return {
    poolerUrl: null,
    access: { owner: { host, port, user, password, dbName: DATABASE_NAME }, app: { login: app } },
    release: () => embedded.stop(),
  };
}

/** Refuses an address that keeps no session where one is needed, and two addresses of different databases. */
async function refuseWithoutSession(databaseUrl: string, directUrl: string | null): Promise<void> {
  const connectionString = directUrl ?? databaseUrl;
  try {
    if (!(await keepsSession({ connectionString }))) throw new StartError(withoutSession(directUrl));
    if (directUrl === null) return;
    const ids = await Promise.all(
      [databaseUrl, directUrl].map((url) => databaseIdOf({ connectionString: url })),
    );
    if (ids[0] !== ids[1])
      throw new StartError(
        'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: both must name the same one, by way of the pooler and past it.',
      );
  } catch (error) {
    if (!isMissingDatabase(error)) throw error; // migrating creates it
  }
}

const withoutSession = (directUrl: string | null): string =>
  directUrl === null
    ? 'DATABASE_URL leads to a pooler in transaction mode, where LISTEN, session locks and migrations do not work: set DATABASE_DIRECT_URL to the same database past the pooler, or use the pooler in session mode.'
    : 'DATABASE_DIRECT_URL leads to a pooler in transaction mode, where LISTEN, session locks and migrations do not work: set it to the address of PostgreSQL.';

/**
 * Adds the pooler to a connection past it, with the same login.
 *
 * @param retryOptions waits for a busy pooler
 * @throws StartError if the pooler cannot be used with that login
 */
export async function throughPooler(
  direct: DatabaseConnection,
  poolerUrl: string | null,
  retryOptions: RetryOptions,
): Promise<DatabaseConnection> {
  if (poolerUrl === null) return direct;
  const { user = '', password } = new pg.Client(clientConfig(direct));
  const pooler = withLogin({ clientUrl: poolerUrl }, { user, password: password ?? '' });
  try {
    await ifBusyAgain(() => databaseIdOf(clientConfig(pooler)), retryOptions);
  } catch (error) {
    const reason = reasonOf(error);
    throw new StartError(
      isLoginRefused(error)
        ? `The pooler of DATABASE_URL refuses the role ${user} of the service (${reason}): add it to the users of the pooler.`
        : `The pooler of DATABASE_URL cannot be used with the role ${user} of the service (${reason}): check its users and limits, and whether it runs.`,
    );
  }
  return { ...direct, pooler };
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

const ifBusyAgain = <Result>(task: () => Promise<Result>, retryOptions: RetryOptions | null) =>
  retryOptions ? whenAvailable(task, { ...retryOptions, isRetryable: isBusyServer }) : task();

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
    await ifBusyAgain(connect, retryOptions);
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

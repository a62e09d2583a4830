import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { defaultDataDir, startEmbeddedPostgres } from '../db/embedded.ts';
import { clientConfig } from '../db/migrate.ts';
import type { DatabaseConnection } from '../db/orm.ts';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const DATABASE_NAME = 'trading';
const WAIT_MS = 5_000;

export const dataDirOf = (config: Pick<Config, 'dataDir'>): string =>
  config.dataDir ?? defaultDataDir(PROJECT);

export type Opened = {
  connection: DatabaseConnection;
  /** Call last: stops the embedded database, unless another process of ours still uses it. */
  release: () => Promise<void>;
};

/**
 * The database of this configuration: the one of `DATABASE_URL`, or the embedded one, started where it is not.
 *
 * @throws StartError when the database of `DATABASE_URL` does not answer.
 */
export async function openConnection(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<Opened> {
  if (config.databaseUrl !== null) {
    const connection = { clientUrl: config.databaseUrl };
    await refuseUnreachable(connection);
    return { connection, release: async () => {} };
  }
  const embedded = await startEmbeddedPostgres({ dir: dataDirOf(config), keepRunning: true, log });
  const { host, port, user, password } = embedded;
  return {
    connection: { host, port, user, password, dbName: DATABASE_NAME },
    release: () => embedded.stop(),
  };
}

/** A database that does not answer is said at once, not after the pool's patience. */
async function refuseUnreachable(connection: DatabaseConnection): Promise<void> {
  const client = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: WAIT_MS });
  try {
    await client.connect();
  } catch (error) {
    if (isMissingDatabase(error)) return;
    throw new StartError(
      `The database of DATABASE_URL cannot be used (${reasonOf(error)}): check its address, its user and whether it runs.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** Migrating creates it. */
const isMissingDatabase = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '3D000';

/** The first plain reason in an error; a refused connection comes as one error per address tried. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import {
  ANSWER_WITHIN_MS,
  endSilentTogether,
  KEEP_ALIVE,
  preparedQuery,
  STATEMENT_TIMEOUT_MS,
} from './client.ts';
import { entities } from './entities/index.ts';
import { PooledClient } from './pooling/pooled-client.ts';
import { ScopedClient } from './scope.ts';

/** An address: parts (a socket folder or host), or one URL. */
export type DatabaseAddress =
  | { host: string; port: number; user: string; password: string; dbName: string }
  | { clientUrl: string };

/** The address of the database. `pooler`: that of a pooler in transaction mode, for everything that needs no session. */
export type DatabaseConnection = DatabaseAddress & { pooler?: DatabaseAddress };

export type PoolOptions = {
  /** The most connections this process takes, default 20. */
  poolMax?: number;
  /** Milliseconds to wait for a free connection before answering 503, default 2,000. */
  acquireTimeoutMs?: number;
  /** Milliseconds after which the server ends a statement, default 10,000; 0: no timeout. */
  statementTimeoutMs?: number;
  /** Milliseconds after which the server ends a wait for a lock, default 5,000. */
  lockTimeoutMs?: number;
  /** Milliseconds after which a connection that owes an answer counts as lost, default 12,000. */
  answerWithinMs?: number;
};

export type OrmOptions = PoolOptions & {
  /** Read and write the committed schema snapshot: for the tool that makes migrations, never for a server. */
  keepSnapshot?: boolean;
  /** Whether the schema is described: 20 ms of work, for its migrations. Default true. */
  describesSchema?: boolean;
  onPoolCreated?: (pool: pg.Pool) => void;
};

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

const STATEMENT_NAMES_MAX = 500;
const STATEMENT_LENGTH_MAX = 8_000;

/**
 * A client that names every statement that carries values, so that PostgreSQL parses and plans it once a
 * connection. Texts without values (MikroORM inlines its own) and texts past the bounds go through unnamed.
 * The names are the pool's: all its connections know a statement by the same one.
 */
function preparedClient(): typeof ScopedClient {
  const names = new Map<string, string>();
  const nameOf = (text: string, values: unknown[]): string | undefined => {
    if (values.length === 0 || text.length > STATEMENT_LENGTH_MAX) return undefined;
    const known = names.get(text);
    if (known !== undefined || names.size >= STATEMENT_NAMES_MAX) return known;
    const name = `k${names.size}`;
    names.set(text, name);
    return name;
  };
  return class PreparedClient extends ScopedClient {
    override readonly query = ((...args: unknown[]) => {
      const [text, values, ...rest] = args;
      if (typeof text !== 'string' || !Array.isArray(values)) return this.runQuery(...args);
      const name = nameOf(text, values);
      return this.runQuery(...(name === undefined ? args : [preparedQuery({ name, text, values }), ...rest]));
    }) as pg.Client['query'];
  };
}

/** Opens MikroORM on our entities: the schema, its migrations, and the pool whose connections `pool.ts` hands out. */
export async function openOrm(
  { pooler, ...direct }: DatabaseConnection,
  {
    poolMax = 20,
    acquireTimeoutMs = 2_000,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    lockTimeoutMs = 5_000,
    answerWithinMs = ANSWER_WITHIN_MS,
    keepSnapshot = false,
    describesSchema = true,
    onPoolCreated = () => {},
  }: OrmOptions = {},
): Promise<MikroORM> {
  const connection = pooler ?? direct;
  return MikroORM.init({
    ...connection,
    entities: describesSchema ? [...entities] : [],
    discovery: { warnWhenNoEntities: describesSchema },
    extensions: [Migrator],
    forceUtcTimezone: true,
    pool: { min: 0, max: poolMax },
    driverOptions: {
      // `pg` itself reads it: MikroORM takes only the parts of a URL it knows, and drops a socket's folder and TLS.
      ...('clientUrl' in connection && { connectionString: connection.clientUrl }),
      Client: pooler === undefined ? preparedClient() : PooledClient,
      pipeline: true,
      answerWithinMs,
      application_name: 'trading-strategy-service',
      connectionTimeoutMillis: acquireTimeoutMs,
      onPoolCreated: (pool: pg.Pool) => {
        endSilentTogether(pool);
        onPoolCreated(pool);
      },
      session: {
        statement_timeout: statementTimeoutMs,
        lock_timeout: lockTimeoutMs,
        idle_in_transaction_session_timeout: 15_000,
        // Moments are read as text, whatever style the database or its role is set to.
        datestyle: 'ISO',
      },
      ...KEEP_ALIVE,
    },
    schemaGenerator: { ignoreSchema: ['auth'] },
    migrations: {
      path: MIGRATIONS_FOLDER,
      glob: '*.ts',
      emit: 'ts',
      snapshot: keepSnapshot,
      snapshotName: '.snapshot',
      silent: true,
      tableName: 'schema_migration',
    },
  });
}

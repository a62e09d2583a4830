import type { MikroORM } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { BoundedConfig } from './client.ts';
import { FairQueue, type Release } from './fair-queue.ts';
import { clientConfig } from './migrating/migrate.ts';
import { type DatabaseConnection, openOrm, type PoolOptions } from './orm.ts';
import {
  ALL_ACCOUNTS,
  ANY_SCOPE,
  clearScopeAtRelease,
  type PiggybackStatement,
  type Scope,
  ScopedClient,
  scopedPool,
} from './scope.ts';
import type { Database, Db } from './tables.ts';

/** Unused handles that stay ready. An account that returns after more others than this may get a new handle. */
const IDLE_HANDLES_MAX = 1_000;

/** The pool of each handle, not of a transaction. */
const pools = new WeakMap<Db, Pool>();

/** The timeout for a connection of a share, while others of the same share use it. */
const SHARE_WAIT_MS = 5_000;

const NO_STATEMENTS: readonly PiggybackStatement[] = [];

export type ShareOptions = {
  /** The timeout for a connection of the share. */
  readonly waitMs?: number;
  /** Called with the scope of each statement that was answered, before its caller resumes. */
  readonly onAnswer?: (scope: Scope) => void;
};

/** A source of handles on a database by scope: a pool, or a share of it. */
export type Handles = Pick<Pool, 'handle'>;

/** A part of the connections of a pool. */
export type Share = Handles & {
  /** Sends a statement along with the account's next one in this share. It leaves the queue when it is sent or taken back. */
  piggyback(scope: Scope, statement: PiggybackStatement): void;
  /** Takes it back. False: it has been sent. */
  cancelPiggyback(scope: Scope, statement: PiggybackStatement): boolean;
};

/** The connections of a process to one database, and the handles on them: one for each account, and for the service itself. */
export class Pool {
  /** The bare connections. They have no scope set. */
  readonly native: pg.Pool;
  /** The address of a session of its own, past any pooler. */
  readonly session: BoundedConfig;
  readonly #orm: MikroORM;
  readonly #ready = new LRUCache<Scope, Db>({ max: IDLE_HANDLES_MAX });
  /** Every handle that is still referenced: a statement that waits in one must not be overtaken through another. */
  readonly #held = new Map<Scope, WeakRef<Db>>();
  readonly #released = new FinalizationRegistry<Scope>((scope) => {
    if (this.#held.get(scope)?.deref() === undefined) this.#held.delete(scope);
  });

  /** One for each share. */
  readonly #queues: FairQueue[] = [];

  constructor(orm: MikroORM, native: pg.Pool, session: BoundedConfig) {
    this.#orm = orm;
    this.native = native;
    this.session = session;
  }

  /** The one handle of a scope, as long as it is in use. */
  handle(scope: Scope): Db {
    const db = this.#ready.get(scope) ?? this.#held.get(scope)?.deref() ?? this.#open(scope);
    this.#ready.set(scope, db);
    return db;
  }

  /**
   * Handles that together never use more than `max` connections, however many statements they get. Their work therefore
   * delays no other caller. Among waiting statements the scopes are served in turn.
   */
  share(max: number, { waitMs = SHARE_WAIT_MS, onAnswer }: ShareOptions = {}): Share {
    const queue = new FairQueue({ slots: max });
    this.#queues.push(queue);
    const releases = new WeakMap<pg.ClientBase, Release>();
    this.native.on('release', (_error, client) => {
      releases.get(client)?.();
      releases.delete(client);
    });
    const ready = new LRUCache<Scope, Db>({ max: IDLE_HANDLES_MAX });
    const statements = new Map<Scope, Set<PiggybackStatement>>();
    const open = (scope: Scope): Db => {
      const all = scopedPool(this.native, scope);
      const connect = async () => {
        const release = await queue.take(scope, { waitMs });
        try {
          const client = await all.connect();
          releases.set(client, release);
          if (client instanceof ScopedClient) {
            if (onAnswer) client.onAnswer = () => onAnswer(scope);
            client.takePiggybacked = () => takePiggybacked(scope);
          }
          return client;
        } catch (error) {
          release();
          throw error;
        }
      };
      const db = new Kysely<Database>({
        dialect: new PostgresDialect({ pool: async () => ({ ...all, connect }) }),
      });
      pools.set(db, this);
      ready.set(scope, db);
      return db;
    };
    const takePiggybacked = (scope: Scope): readonly PiggybackStatement[] => {
      const waiting = statements.get(scope);
      if (waiting === undefined) return NO_STATEMENTS;
      statements.delete(scope);
      return [...waiting];
    };
    return {
      handle: (scope) => ready.get(scope) ?? open(scope),
      piggyback(scope, statement) {
        const waiting = statements.get(scope);
        if (waiting === undefined) statements.set(scope, new Set([statement]));
        else waiting.add(statement);
      },
      cancelPiggyback(scope, statement) {
        const waiting = statements.get(scope);
        if (waiting?.delete(statement) !== true) return false;
        if (waiting.size === 0) statements.delete(scope);
        return true;
      },
    };
  }

  /** The maximum number of connections. */
  get max(): number {
    return this.native.options.max;
  }

  /** Connections in use and idle, and the number of requests that wait for one, also for one of a share. */
  get load(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.native;
    const waiting = this.#queues.reduce((sum, queue) => sum + queue.waiting, waitingCount);
    return { used: totalCount - idleCount, idle: idleCount, waiting };
  }

  #open(scope: Scope): Db {
    const dialect = new PostgresDialect({ pool: async () => scopedPool(this.native, scope) });
    const db = new Kysely<Database>({ dialect });
    pools.set(db, this);
    this.#held.set(scope, new WeakRef(db));
    this.#released.register(db, scope);
    return db;
  }

  /** Waits for connections that are in use. */
  async close(): Promise<void> {
    await this.#orm.close(true);
    // MikroORM ends the pool with its own handle, which does not exist if it was never used.
    if (!this.native.ending) await this.native.end();
  }
}

/** Opens no connection yet. Reads no environment and keeps no module state, so that a test may open many. */
export async function openPool(connection: DatabaseConnection, options: PoolOptions = {}): Promise<Pool> {
  const { promise, resolve } = Promise.withResolvers<pg.Pool>();
  const orm = await openOrm(connection, {
    ...options,
    describesSchema: false, // no query goes through an entity
    onPoolCreated: (pool) => {
      clearScopeAtRelease(pool);
      resolve(pool);
    },
  });
  orm.em.getConnection().getClient(); // makes the pool
  const native = await promise;
  const session =
    connection.pooler === undefined
      ? native.options
      : { ...native.options, connectionString: undefined, ...clientConfig(connection) };
  return new Pool(orm, native, session);
}

/** For work on behalf of one account: no other account's rows are visible. */
export const accountDb = (pool: Handles, accountId: string): Db => pool.handle(accountId);

/** For work of the service itself, over all accounts. */
export const systemDb = (pool: Handles): Db => pool.handle(ALL_ACCOUNTS);

/** For statements that read no account's table: the scope of its rows is undefined. */
export const unscopedDb = (pool: Handles): Db => pool.handle(ANY_SCOPE);

/** The pool of a handle. A transaction has none: pass the handle it was begun on. */
export function poolOf(db: Db): Pool {
  const pool = pools.get(db);
  if (pool === undefined) throw new Error('A transaction has no pool: ask before it begins.');
  return pool;
}

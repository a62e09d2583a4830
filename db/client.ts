import pg from 'pg';
import { isReadOnly } from './database-errors.ts';

/** The limit after which the server ends a statement. */
export const STATEMENT_TIMEOUT_MS = 10_000;
/** A little longer than the server's own limit: a server that has not responded by then is gone. */
export const ANSWER_WITHIN_MS = STATEMENT_TIMEOUT_MS + 2_000;
/** The longest wait for a clean disconnect from a server that may be gone. */
const END_WITHIN_MS = 2_000;

/**
 * Settings of every connection: a peer that vanishes silently is probed after 10 s, not after two hours. A pool ends an unused
 * connection after a minute: a new one costs tens of milliseconds, plans each statement again, and a page takes several.
 */
export const KEEP_ALIVE = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  idleTimeoutMillis: 60_000,
} as const;

/**
 * Settings of a session by PostgreSQL's names. They are set by a statement after connecting, because a pooler in between
 * refuses unknown settings in the startup message.
 */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** A pool passes its own settings on to its clients. */
export type BoundedConfig = pg.ClientConfig & { answerWithinMs?: number; session?: SessionSettings };

const IGNORED = (): void => {};

/** A statement under a name. `pg` copies one that is passed as a config by its property descriptors, which takes a microsecond. */
export const preparedQuery = ({ name, text, values }: pg.QueryConfig): pg.Query => {
  const query: pg.Query & { name?: string | undefined } = new pg.Query(text, values);
  query.name = name;
  return query;
};

/** Replaces a trace that leads to the socket with one that leads to the statement's caller. */
function rejectWithCallersTrace(error: unknown): never {
  if (error instanceof Error) Error.captureStackTrace(error);
  throw error;
}

type Answered = (error: unknown, result: pg.QueryResult) => void;

/**
 * A connection with a bound on every wait. It ends as if it had been cut (`ETIMEDOUT`) when a statement has no response
 * within `answerWithinMs` of the request. A dead connection, a frozen server and a proxy that lost us are indistinguishable.
 * Later data of such a connection belongs to no caller.
 *
 * Emits `silent` with the moment of the request (process time) before it ends that way.
 */
export class BoundedClient extends pg.Client {
  readonly #answerWithinMs: number;
  protected readonly session: SessionSettings;
  #lastSeenMs = performance.now();

  constructor(config: BoundedConfig = {}, answerWithinMs = config.answerWithinMs ?? ANSWER_WITHIN_MS) {
    super(config);
    this.#answerWithinMs = answerWithinMs;
    this.session = config.session ?? {};
  }

  override readonly connect = ((callback?: (error: unknown, client?: pg.Client) => void) => {
    const connected = this.#connect();
    if (callback !== undefined) connected.then((client) => callback(null, client), callback);
    return connected;
  }) as pg.Client['connect'];

  override readonly query = ((...args: unknown[]) => this.runQuery(...args)) as pg.Client['query'];

  override readonly end = ((...args: unknown[]) => {
    const late = setTimeout(() => this.connection.stream.destroy(), END_WITHIN_MS).unref();
    this.connection.once('end', () => clearTimeout(late));
    return Reflect.apply(pg.Client.prototype.end, this, args);
  }) as pg.Client['end'];

  /** Ends the connection if it has received nothing since that moment of process time. */
  endIfSilentSince(sinceMs: number): void {
    if (this.#lastSeenMs < sinceMs) this.#giveUp();
  }

  /** `query`, for subclasses that override it. */
  protected runQuery(...args: unknown[]): unknown {
    const callback = args.at(-1);
    if (typeof callback === 'function') return this.#send(args.slice(0, -1), callback as Answered);
    // A cursor is read in statements of its own.
    if (args[0] instanceof Object && 'submit' in args[0] && !(args[0] instanceof pg.Query)) {
      this.#lastSeenMs = performance.now();
      return Reflect.apply(pg.Client.prototype.query, this, args);
    }
    // Not the promise of `pg`: the closure it sets holds all rows until the next full garbage collection.
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    this.#send(args, (error, result) => (error ? reject(error) : resolve(result)));
    return promise.catch(rejectWithCallersTrace);
  }

  #send(args: readonly unknown[], callback: Answered): unknown {
    const answered = this.#startTimeout();
    const answeredCallback: Answered = (error, result) => {
      answered(error);
      callback(error, result);
    };
    return Reflect.apply(pg.Client.prototype.query, this, [...args, answeredCallback]);
  }

  /** Gives a new session its settings. */
  protected async applySession(): Promise<void> {
    const settings = Object.entries(this.session);
    if (settings.length === 0) return;
    const text = `select ${settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`).join()}`;
    await this.query(text, settings.flat().map(String));
  }

  /** No listener exists before the connection is handed over: the statement that is cut reports an earlier cut. */
  async #connect(): Promise<this> {
    this.on('error', IGNORED);
    try {
      return await this.#open();
    } finally {
      this.off('error', IGNORED);
    }
  }

  async #open(): Promise<this> {
    await Reflect.apply(pg.Client.prototype.connect, this, []);
    try {
      await this.applySession();
      return this;
    } catch (error) {
      await this.end().catch(() => {});
      throw error;
    }
  }

  #startTimeout(): (refusal?: unknown) => void {
    const requestedMs = performance.now();
    let isAnswered = false;
    const late = setTimeout(() => {
      // In a process that was suspended, timers fire first. `setImmediate` lets the data that arrived meanwhile be read.
      setImmediate(() => {
        if (isAnswered) return;
        this.#giveUp();
        this.emit('silent', requestedMs);
      });
    }, this.#answerWithinMs);
    return (refusal) => {
      isAnswered = true;
      this.#lastSeenMs = performance.now();
      clearTimeout(late);
      // The server has become a standby: its connections lead to the wrong server.
      if (isReadOnly(refusal)) this.#giveUp();
    };
  }

  #giveUp(): void {
    if (this.connection.stream.destroyed) return;
    const error = new Error(`PostgreSQL did not answer within ${this.#answerWithinMs} ms.`);
    this.connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }
}

/**
 * When one connection of a pool goes silent, ends all others that have received nothing since. Otherwise each of them would
 * keep a caller waiting as long.
 */
export function endSilentTogether(pool: pg.Pool): void {
  const clients = new Set<BoundedClient>();
  pool.on('connect', (client) => {
    if (!(client instanceof BoundedClient)) return;
    clients.add(client);
    client.once('end', () => clients.delete(client));
    client.once('silent', (sinceMs: number) => {
      for (const other of clients) other.endIfSilentSince(sinceMs);
    });
  });
}

import pg from 'pg';
import { isReadOnly } from './failures.ts';

/** What the server itself ends a statement after. */
export const STATEMENT_TIMEOUT_MS = 10_000;
/** A little longer than the server's own limit: who has not answered by then is not there. */
export const ANSWER_WITHIN_MS = STATEMENT_TIMEOUT_MS + 2_000;
/** Saying goodbye to a server that is not there takes this long at most. */
const END_WITHIN_MS = 2_000;

/** Settings of every connection: a peer that vanishes without a word is asked after 10 s, not after two hours. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * Settings of a session by PostgreSQL's names. They are said in a statement after connecting: a pooler between refuses what
 * it does not know in the words that open a connection.
 */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** A pool passes its own settings on to its clients. */
type BoundedConfig = pg.ClientConfig & { answerWithinMs?: number; session?: SessionSettings };

const IGNORED = (): void => {};

/**
 * A connection that waits for nothing without a bound. A statement that is not answered within `answerWithinMs`, counted
 * from asking, ends the connection as if it had been cut (`ETIMEDOUT`): a dead line, a frozen server and a proxy that
 * forgot us look alike, and what such a connection would still say belongs to nobody.
 *
 * Emits `silent` with the moment of asking (process time) before it ends that way.
 */
export class BoundedClient extends pg.Client {
  readonly #answerWithinMs: number;
  readonly #session: SessionSettings;
  #heardMs = performance.now();

  constructor(config: BoundedConfig = {}, answerWithinMs = config.answerWithinMs ?? ANSWER_WITHIN_MS) {
    super(config);
    this.#answerWithinMs = answerWithinMs;
    this.#session = config.session ?? {};
  }

  override readonly connect = ((callback?: (error: unknown, client?: pg.Client) => void) => {
    const connected = this.#connect();
    if (callback !== undefined) connected.then((client) => callback(null, client), callback);
    return connected;
  }) as pg.Client['connect'];

  override readonly query = ((...args: unknown[]) => this.ask(...args)) as pg.Client['query'];

  override readonly end = ((...args: unknown[]) => {
    const late = setTimeout(() => this.connection.stream.destroy(), END_WITHIN_MS).unref();
    this.connection.once('end', () => clearTimeout(late));
    return Reflect.apply(pg.Client.prototype.end, this, args);
  }) as pg.Client['end'];

  /** Ends the connection if it has heard nothing since that moment of process time. */
  doubt(sinceMs: number): void {
    if (this.#heardMs < sinceMs) this.#giveUp();
  }

  /** `query`, for those who override it. */
  protected ask(...args: unknown[]): unknown {
    const answered = this.#expectAnswer();
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const heard = (...answer: unknown[]) => {
        answered(answer[0]);
        Reflect.apply(callback, undefined, answer);
      };
      return Reflect.apply(pg.Client.prototype.query, this, [...args.slice(0, -1), heard]);
    }
    const answer: unknown = Reflect.apply(pg.Client.prototype.query, this, args);
    if (answer instanceof Promise) answer.then(() => answered(), answered);
    else answered(); // a cursor, which is read in statements of its own
    return answer;
  }

  /** Nobody listens to it before it is handed over: what is cut until then is told by the statement it cuts. */
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
    const settings = Object.entries(this.#session);
    if (settings.length === 0) return this;
    const text = `select ${settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`).join()}`;
    try {
      await this.query(text, settings.flat().map(String));
      return this;
    } catch (error) {
      await this.end().catch(() => {});
      throw error;
    }
  }

  #expectAnswer(): (refusal?: unknown) => void {
    const askedMs = performance.now();
    let isAnswered = false;
    const late = setTimeout(() => {
      // A process that stood still finds its timers first: what has arrived meanwhile is read before `setImmediate`.
      setImmediate(() => {
        if (isAnswered) return;
        this.#giveUp();
        this.emit('silent', askedMs);
      });
    }, this.#answerWithinMs);
    return (refusal) => {
      isAnswered = true;
      this.#heardMs = performance.now();
      clearTimeout(late);
      // A standby by now: its connections lead to the wrong place.
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
 * When one connection of a pool has gone silent, those that have heard nothing since are taken for dead with it: else each
 * of them would keep somebody waiting as long.
 */
export function endSilentTogether(pool: pg.Pool): void {
  const clients = new Set<BoundedClient>();
  pool.on('connect', (client) => {
    if (!(client instanceof BoundedClient)) return;
    clients.add(client);
    client.once('end', () => clients.delete(client));
    client.once('silent', (sinceMs: number) => {
      for (const other of clients) other.doubt(sinceMs);
    });
  });
}

import type pg from 'pg';
import { BoundedClient } from '../../../db/client.ts';
import type { Pool } from '../../../db/pool.ts';
import { VENUE_IDS, type Venue } from '../../../db/vocabulary.ts';
import { VENUES } from '../../../venues/port.ts';

/** First number of our session locks; the second says what is locked. */
export const LOCK_SPACE = 0x7_5_5_0;

/** Who polls which venue. */
const FEED_LOCKS = Object.fromEntries(VENUE_IDS.map((venue) => [venue, VENUES[venue].feedLock])) as Record<
  Venue,
  number
>;

/** Who imports the past of which venue. */
const IMPORT_LOCKS = Object.fromEntries(
  VENUE_IDS.map((venue) => [`import-${venue}`, 20 + VENUES[venue].feedLock]),
) as Record<`import-${Venue}`, number>;

/** What one process at a time does, by the second number of its lock. */
export const LOCKS = {
  ...FEED_LOCKS,
  housekeeping: 10,
  quotes: 11,
  'daily-loss': 12,
  watchdog: 13,
  'quote-log': 14,
  ledger: 15,
  equity: 16,
  ...IMPORT_LOCKS,
} as const;
export type LockName = keyof typeof LOCKS;

/** The lock that is held as long as any runner lives, whatever there is to do. */
export const RUNNER_LOCK: number = LOCKS['daily-loss'];

/** Numbers of a lock, for statements that take it for a transaction. */
export const lockKey = (name: LockName): [number, number] => [LOCK_SPACE, LOCKS[name]];

/** A session says something so many times in the time after which the server would end it. */
const SIGNS_PER_LEASE = 4;

/** What a transaction of the holder may do. */
export type Statements = {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
};

/**
 * A connection of its own that holds a lock as long as it lives: when the process dies the server lets go, and the next
 * one takes over. A process that stands still keeps its connections, so the server ends the session, and with it the lock
 * and whatever is half done, once it has said nothing for `leaseMs`; a holder that hears nothing for as long ends it itself. Whoever writes as the holder writes through this
 * connection, so a holder that lost it writes nothing.
 */
export class LockSession {
  readonly #pool: Pool;
  readonly #name: LockName;
  readonly #leaseMs: number;
  #client: BoundedClient | null = null;
  #holds = false;
  #holding: Promise<boolean> | null = null;
  #signs: NodeJS.Timeout | undefined;
  #saying: Promise<unknown> = Promise.resolve();
  #unanswered = 0;

  constructor(pool: Pool, name: LockName, leaseMs: number) {
    this.#pool = pool;
    this.#name = name;
    this.#leaseMs = leaseMs;
  }

  /** Takes the lock if nobody has it. True while this connection holds it. */
  hold(): Promise<boolean> {
    this.#holding ??= this.#hold().finally(() => {
      this.#holding = null;
    });
    return this.#holding;
  }

  async #hold(): Promise<boolean> {
    if (this.#client !== null && this.#holds) return true;
    this.#client ??= await this.#connect();
    const { rows } = await this.#say<{ held: boolean }>(
      this.#client,
      'select pg_try_advisory_lock($1, $2) as held',
      [...lockKey(this.#name)],
    );
    this.#holds = rows[0]?.held === true;
    return this.#holds;
  }

  /** Runs statements in one transaction of the connection that holds the lock. One at a time. */
  async transaction(task: (statements: Statements) => Promise<void>): Promise<void> {
    const client = this.#client;
    if (client === null || !this.#holds) throw new Error(`The lock ${this.#name} is not held.`);
    try {
      await this.#say(client, 'begin');
      await task({ query: (text, values) => this.#say(client, text, values) });
      await this.#say(client, 'commit');
    } catch (error) {
      await this.#say(client, 'rollback').catch(() => this.#lose(client));
      throw error;
    }
  }

  /** Lets go of the lock and the connection. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#holds = false;
    clearInterval(this.#signs);
    await client?.end();
  }

  async #connect(): Promise<BoundedClient> {
    const client = new BoundedClient(this.#pool.native.options, this.#leaseMs);
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    await client.connect();
    try {
      await client.query(
        `select set_config(name, $1, false)
         from unnest('{idle_session_timeout,idle_in_transaction_session_timeout}'::text[]) as name`,
        [String(this.#leaseMs)],
      );
    } catch (error) {
      await client.end();
      throw error;
    }
    this.#signs = setInterval(() => this.#sign(client), this.#leaseMs / SIGNS_PER_LEASE).unref();
    return client;
  }

  /** One statement after the other, as the protocol has it: a sign of life waits like any other. */
  #say<Row extends pg.QueryResultRow>(
    client: BoundedClient,
    text: string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    this.#unanswered += 1;
    const answer = this.#saying.then(() => client.query<Row>(text, values));
    this.#saying = answer.catch(() => undefined).finally(() => (this.#unanswered -= 1));
    return answer;
  }

  /**
   * A sign of life, unless a statement is under way, which is one. Within a transaction that has failed it is refused, and
   * counts all the same.
   */
  #sign(client: BoundedClient): void {
    if (this.#unanswered === 0) this.#say(client, 'select 1').catch(() => undefined);
  }

  #lose(client: BoundedClient): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#holds = false;
    clearInterval(this.#signs);
    client.end().catch(() => undefined);
  }
}

import { sql } from 'kysely';
import type pg from 'pg';
import { BoundedClient } from '../../../db/client.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import { VENUE_IDS, type Venue } from '../../../db/vocabulary.ts';
import { VENUES } from '../../../venues/port.ts';

/** First number of our session locks; the second is that of the lock. */
export const LOCK_SPACE = 0x7_5_5_0;

/** The lock of each venue's polling. */
const FEED_LOCKS = Object.fromEntries(VENUE_IDS.map((venue) => [venue, VENUES[venue].feedLock])) as Record<
  Venue,
  number
>;

/** The lock of each venue's history import. */
const IMPORT_LOCKS = Object.fromEntries(
  VENUE_IDS.map((venue) => [`import-${venue}`, 20 + VENUES[venue].feedLock]),
) as Record<`import-${Venue}`, number>;

/** Tasks of one process at a time, with the second number of their lock. */
export const LOCKS = {
  ...FEED_LOCKS,
  housekeeping: 10,
  quotes: 11,
  'daily-loss': 12,
  watchdog: 13,
  'quote-log': 14,
  ledger: 15,
  equity: 16,
  archive: 17,
  ...IMPORT_LOCKS,
} as const;
export type LockName = keyof typeof LOCKS;

/** The lock that is held as long as any runner lives, even while idle. */
export const RUNNER_LOCK: number = LOCKS['daily-loss'];

/** Returns both numbers of a lock, for statements that take it for one transaction. */
export const lockKey = (name: LockName): [number, number] => [LOCK_SPACE, LOCKS[name]];

/** Runs a task in one transaction that holds the lock until it ends. Null, without running it, while another process holds it. */
export const ifLockFree = <Result>(
  db: Db,
  name: LockName,
  task: (tx: Db) => Promise<Result>,
): Promise<Result | null> =>
  db.transaction().execute(async (tx) => {
    const [space, lock] = lockKey(name);
    const { rows } = await sql<{ ours: boolean }>`
      select pg_try_advisory_xact_lock(${space}::int, ${lock}::int) as ours`.execute(tx);
    return rows[0]?.ours === true ? task(tx) : null;
  });

/** Heartbeats of a session during the time after which the server would end it. */
const HEARTBEATS_PER_LEASE = 4;

/** The statements that a holder's transaction may run. */
export type Statements = {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
};

/**
 * A dedicated connection that holds a lock as long as it lives. If the process dies, the server releases the lock, and another
 * process can take it. A frozen process keeps its connections, so the server ends a session without a heartbeat for `leaseMs`.
 * The lock and any open transaction end with it. A holder that gets no answer for as long ends the session, too. The holder
 * writes through this connection, so a former holder writes nothing.
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

  /** Takes the lock if it is free. True while this connection holds it. */
  hold(): Promise<boolean> {
    this.#holding ??= this.#hold().finally(() => {
      this.#holding = null;
    });
    return this.#holding;
  }

  async #hold(): Promise<boolean> {
    if (this.#client !== null && this.#holds) return true;
    this.#client ??= await this.#connect();
    const { rows } = await this.#send<{ held: boolean }>(
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
      await this.#send(client, 'begin');
      await task({ query: (text, values) => this.#send(client, text, values) });
      await this.#send(client, 'commit');
    } catch (error) {
      await this.#send(client, 'rollback').catch(() => this.#lose(client));
      throw error;
    }
  }

  /** Releases the lock and the connection. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#holds = false;
    clearInterval(this.#signs);
    await client?.end();
  }

  async #connect(): Promise<BoundedClient> {
    const client = new BoundedClient(this.#pool.session, this.#leaseMs);
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
    this.#signs = setInterval(() => this.#heartbeat(client), this.#leaseMs / HEARTBEATS_PER_LEASE).unref();
    return client;
  }

  /** Sends one statement after another, as the protocol requires: a heartbeat waits like any other. */
  #send<Row extends pg.QueryResultRow>(
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
   * Sends a heartbeat, unless a statement is in progress, which counts as one. In a failed transaction it is refused, and
   * counts all the same.
   */
  #heartbeat(client: BoundedClient): void {
    if (this.#unanswered === 0) this.#send(client, 'select 1').catch(() => undefined);
  }

  #lose(client: BoundedClient): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#holds = false;
    clearInterval(this.#signs);
    client.end().catch(() => undefined);
  }
}

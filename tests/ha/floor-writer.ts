/** Writes directly to the database and through the service; measures the pause of each, and whether acknowledged rows stay. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PERIOD_MS = 100;
const CONNECT_WITHIN_MS = 2_000;
/** Timeout of an answer, after which the writer retries on a new connection. */
export const ANSWER_WITHIN_MS = 3_000;

/** Instants of acknowledged rows. */
export class PauseMeter {
  #lastMs = performance.now();
  #longestMs = 0;
  acknowledged = 0;

  acknowledge(): void {
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastMs);
    this.#lastMs = now;
    this.acknowledged += 1;
  }

  /** The longest time without an acknowledgement since the last call, seconds. */
  takeLongestSec(): number {
    const longestSec = Math.max(this.#longestMs, performance.now() - this.#lastMs) / 1_000;
    this.#longestMs = 0;
    this.#lastMs = performance.now();
    return longestSec;
  }
}

/** Inserts a row every 100 ms, on a new connection whenever one breaks. */
export class FloorWriter {
  readonly gaps = new PauseMeter();
  readonly #ids: string[] = [];
  readonly #url: string;
  readonly #ending = new AbortController();
  #work: Promise<void> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async start(): Promise<void> {
    const client = await this.#connect();
    await client.query('create table floor_write (id uuid primary key)');
    await client.end();
    this.#work = this.#write();
  }

  /** The number of acknowledged rows that are missing. */
  async countLost(): Promise<number> {
    const ids = [...this.#ids];
    const client = await this.#connect();
    try {
      const { rows } = await client.query<{ there: number }>(
        'select count(*)::int as there from floor_write where id = any($1::uuid[])',
        [ids],
      );
      return ids.length - (rows[0]?.there ?? 0);
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#work;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async #write(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const client = await this.#connect().catch(() => null);
      if (client === null) await sleep(PERIOD_MS);
      else await this.#writeOn(client).finally(() => client.end().catch(() => undefined));
    }
  }

  async #writeOn(client: pg.Client): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const id = randomUUID();
      const isWritten = await client.query('insert into floor_write values ($1)', [id]).then(
        () => true,
        () => false,
      );
      if (!isWritten) return;
      this.#ids.push(id);
      this.gaps.acknowledge();
      await sleep(PERIOD_MS);
    }
  }
}

/** Sends a request to the service every 100 ms. */
export class ServiceProbe {
  readonly gaps = new PauseMeter();
  readonly #ask: () => Promise<boolean>;
  readonly #ending = new AbortController();
  readonly #work: Promise<void>;

  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
    this.#work = this.#go();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#work;
  }

  async #go(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      if (await this.#ask().catch(() => false)) this.gaps.acknowledge();
      await sleep(PERIOD_MS);
    }
  }
}

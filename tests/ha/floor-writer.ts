/** Writes directly to the database and through the service; measures the pause of each, and whether acknowledged rows stay. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PERIOD_MS = 100;
const CONNECT_WITHIN_MS = 2_000;
/** Timeout of an answer, after which its connection is given up. */
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

/** Starts `work` every 100 ms. It does not wait for the last one: one that hangs says nothing of the next. */
class Beat {
  readonly #ending = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  readonly #beats: Promise<void>;

  constructor(work: () => Promise<void>) {
    this.#beats = this.#beat(work);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#beats;
    await Promise.all(this.#pending);
  }

  async #beat(work: () => Promise<void>): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const one = work().finally(() => this.#pending.delete(one));
      this.#pending.add(one);
      await sleep(PERIOD_MS);
    }
  }
}

/** Inserts a row every 100 ms, on a connection that is free and works, or a new one. */
export class FloorWriter {
  readonly gaps = new PauseMeter();
  readonly #ids: string[] = [];
  readonly #url: string;
  readonly #free: pg.Client[] = [];
  #beat: Beat | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async start(): Promise<void> {
    const client = await this.#connect();
    await client.query('create table floor_write (id uuid primary key)');
    this.#free.push(client);
    this.#beat = new Beat(() => this.#write());
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
    await this.#beat?.stop();
    await Promise.all(this.#free.map((client) => client.end().catch(() => undefined)));
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
    const client = this.#free.pop() ?? (await this.#connect().catch(() => null));
    if (client === null) return;
    const id = randomUUID();
    try {
      await client.query('insert into floor_write values ($1)', [id]);
      this.#ids.push(id);
      this.gaps.acknowledge();
      this.#free.push(client);
    } catch {
      await client.end().catch(() => undefined);
    }
  }
}

/** Sends a request to the service every 100 ms. */
export class ServiceProbe {
  readonly gaps = new PauseMeter();
  readonly #beat: Beat;

  constructor(ask: () => Promise<boolean>) {
    this.#beat = new Beat(async () => {
      if (await ask().catch(() => false)) this.gaps.acknowledge();
    });
  }

  stop(): Promise<void> {
    return this.#beat.stop();
  }
}

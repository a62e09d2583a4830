import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../engine/context.ts';
import type { MarketData } from '../../venues/port.ts';

/** Clocks this close are one clock: then what the database dated needs no translation. */
const SAME_CLOCK_MS = 2_000;
const SYNC_MS = 10_000;

/**
 * The two clocks the runner lives between: rows are dated by the database, graphs by the feed. Against real venues both
 * tell the real time; a simulated world may run faster, stand still, or be years away.
 */
export class FeedTime {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #market: MarketData;
  /** Database time minus this process's monotonic time. */
  #databaseOffsetMs = 0;
  #syncAtMs = 0;

  constructor({ db, clock, market }: { db: Db; clock: Clock; market: MarketData }) {
    this.#db = db;
    this.#clock = clock;
    this.#market = market;
  }

  /** Asks the database for the time, now and then. */
  async sync(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#syncAtMs) return;
    const databaseMs = (await this.#clock(this.#db)).getTime();
    this.#databaseOffsetMs = databaseMs - performance.now();
    this.#syncAtMs = nowMs + SYNC_MS;
  }

  databaseNow(): number {
    return performance.now() + this.#databaseOffsetMs;
  }

  /** A moment the database dated, on the feed's clock; no later than the feed's now unless the clocks are one. */
  toFeed(databaseMs: number): number {
    const feedMs = this.#market.now();
    const databaseNowMs = this.databaseNow();
    if (Math.abs(feedMs - databaseNowMs) < SAME_CLOCK_MS) return databaseMs;
    return Math.round(feedMs - Math.max(0, databaseNowMs - databaseMs));
  }

  /** The feed's `asOf` as a moment on the database's clock `databaseNow`; where the clocks differ, that moment itself. */
  toDatabase(feedMs: number, databaseNow: Date): Date {
    if (Math.abs(this.#market.now() - databaseNow.getTime()) >= SAME_CLOCK_MS) return databaseNow;
    return new Date(Math.min(feedMs, databaseNow.getTime()));
  }
}

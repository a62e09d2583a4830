import type { Db } from '../../../../db/tables.ts';
import type { Clock } from '../../../../engine/platform/context.ts';
import type { MarketData } from '../../../../venues/port.ts';

/** Clocks this close count as one: times then need no conversion. */
const SAME_CLOCK_MS = 2_000;

export const isOneClock = (oneMs: number, otherMs: number): boolean =>
  Math.abs(oneMs - otherMs) < SAME_CLOCK_MS;

/**
 * Converts between the runner's two clocks: rows have database time, graphs have feed time. With real venues both are real
 * time; a simulated clock may run faster, stand still, or be years away.
 */
export class FeedTimeConverter {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #market: MarketData;
  /** Database time minus this process's monotonic time. */
  #databaseOffsetMs = 0;

  constructor({ db, clock, market }: { db: Db; clock: Clock; market: MarketData }) {
    this.#db = db;
    this.#clock = clock;
    this.#market = market;
  }

  /** Reads the time of the database. */
  async sync(): Promise<void> {
    const databaseMs = (await this.#clock(this.#db)).getTime();
    this.#databaseOffsetMs = databaseMs - performance.now();
  }

  databaseNow(): number {
    return performance.now() + this.#databaseOffsetMs;
  }

  /** Converts a database time to feed time; no later than the feed's now unless both clocks count as one. */
  toFeed(databaseMs: number): number {
    const feedMs = this.#market.now();
    const databaseNowMs = this.databaseNow();
    if (isOneClock(feedMs, databaseNowMs)) return databaseMs;
    return Math.round(feedMs - Math.max(0, databaseNowMs - databaseMs));
  }
}

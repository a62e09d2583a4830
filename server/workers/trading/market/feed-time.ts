import type { Db } from '../../../../db/tables.ts';
import type { Clock } from '../../../../engine/platform/context.ts';
import type { MarketData } from '../../../../venues/port.ts';

/** Clocks this close are one clock: then what the one dated needs no translation for the other. */
const SAME_CLOCK_MS = 2_000;

export const isOneClock = (oneMs: number, otherMs: number): boolean =>
  Math.abs(oneMs - otherMs) < SAME_CLOCK_MS;

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

  constructor({ db, clock, market }: { db: Db; clock: Clock; market: MarketData }) {
    this.#db = db;
    this.#clock = clock;
    this.#market = market;
  }

  /** Asks the database for the time. */
  async sync(): Promise<void> {
    const databaseMs = (await this.#clock(this.#db)).getTime();
    this.#databaseOffsetMs = databaseMs - performance.now();
  }

  databaseNow(): number {
    return performance.now() + this.#databaseOffsetMs;
  }

  /** A moment the database dated, on the feed's clock; no later than the feed's now unless the clocks are one. */
  toFeed(databaseMs: number): number {
    const feedMs = this.#market.now();
    const databaseNowMs = this.databaseNow();
    if (isOneClock(feedMs, databaseNowMs)) return databaseMs;
    return Math.round(feedMs - Math.max(0, databaseNowMs - databaseMs));
  }
}

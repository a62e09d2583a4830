import { setTimeout as sleep } from 'node:timers/promises';
import { candleKey } from '../../../../engine/strategy/graph/candles.ts';
import type { Plan } from '../../../../engine/strategy/graph/run/run.ts';
import type { CandleSeries, Memory, World } from '../../../../engine/strategy/graph/types.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { CandleCache } from './candles.ts';
import { FeedTimeConverter } from './feed-time-converter.ts';
import { InstrumentCache } from './instruments.ts';
import { BookCache } from './order-books.ts';
import { QuoteCache } from './quotes.ts';

/** The longest wait of ticks for due candles and books; a slow venue must not delay the blueprints of the others. */
const WAIT_MS = 250;

/** The part of a world that all blueprints share. */
export type SharedMarketState = Pick<World, 'quotes' | 'books' | 'candles' | 'instruments'>;

/** The known state of the markets, once per process. */
export class MarketView {
  readonly time: FeedTimeConverter;
  readonly instruments: InstrumentCache;
  readonly #quotes: QuoteCache;
  readonly #books: BookCache;
  readonly #candles: CandleCache;
  #refreshing: Promise<void> | null = null;

  constructor(context: RunnerContext, log: LogOnce) {
    const { db, market } = context;
    this.time = new FeedTimeConverter(context);
    this.instruments = new InstrumentCache(db, market);
    this.#quotes = new QuoteCache(db);
    this.#books = new BookCache(market, log);
    this.#candles = new CandleCache(market, log);
  }

  /** Closed candles by series, as strategies read them. */
  get candles(): CandleCache['byKey'] {
    return this.#candles.byKey;
  }

  /** Increases whenever the database was rolled back: data read before may be invalid. */
  get generation(): number {
    return this.#quotes.generation;
  }

  /** Refreshes everything, once for all shards that call at the same time. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    await this.instruments.refresh();
    await this.#quotes.refresh(this.time);
    const venues = Promise.all([this.#candles.refresh(), this.#books.refresh()]);
    const timeout = new AbortController();
    await Promise.race([venues, sleep(WAIT_MS, undefined, { signal: timeout.signal }).catch(() => {})]);
    timeout.abort();
  }

  /**
   * Registers the needs of a plan, so that the next refresh fetches them. False while candles that it must step are missing.
   */
  want({ needs }: Plan, memory: Memory | null): boolean {
    for (const tokenId of needs.books) this.#books.want(tokenId);
    let isCovered = true;
    for (const need of needs.candles) {
      if (!this.#candles.want(need, steppedUntil(memory, need))) isCovered = false;
    }
    return isCovered;
  }

  /** Returns the shared world, without the series that do not yet reach back to the plan's next step. */
  worldFor(plan: Plan, memory: Memory | null, isCovered: boolean): SharedMarketState {
    return {
      quotes: this.#quotes.byToken,
      books: this.#books.byToken,
      candles: isCovered ? this.#candles.byKey : this.#coveredCandles(plan, memory),
      instruments: this.instruments.facts,
    };
  }

  #coveredCandles({ needs }: Plan, memory: Memory | null): Map<string, CandleSeries> {
    const covered = new Map<string, CandleSeries>();
    for (const need of needs.candles) {
      const key = candleKey(need.symbol, need.interval);
      const series = this.#candles.byKey.get(key);
      if (series !== undefined && this.#candles.want(need, steppedUntil(memory, need)))
        covered.set(key, series);
    }
    return covered;
  }
}

const steppedUntil = (memory: Memory | null, { symbol, interval }: { symbol: string; interval: string }) =>
  memory?.candles[candleKey(symbol, interval)] ?? 0;

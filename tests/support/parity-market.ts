/** Reports of a parity run's world, and when each was received. */

import type { Db } from '../../db/tables.ts';
import { candleKey } from '../../engine/strategy/graph/candles.ts';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import type { CandleNeed } from '../../engine/strategy/graph/types.ts';
import type { InstrumentFact } from '../../engine/trading/orders/terms/facts-by-time.ts';
import { readInstrumentFacts } from '../../engine/trading/orders/terms/read-facts.ts';
import { INTERVAL_MS } from '../../venues/parse/intervals.ts';
import type { Candle, CandleInterval, MarketData } from '../../venues/port.ts';
import type { OrderBook } from '../../venues/reads.ts';

const END_OF_TIME_MS = Date.UTC(9999, 0);

/**
 * The candles of the world, read before the tick requests them. A tick waits at most a quarter of a second for candles and then
 * runs without. On a busy machine that would be another strategy.
 */
export class ReadyCandles {
  readonly #market: MarketData;
  readonly #needs: readonly Pick<CandleNeed, 'symbol' | 'interval'>[];
  readonly #byKey = new Map<string, Candle[]>();

  constructor(market: MarketData, visuals: readonly unknown[]) {
    this.#market = market;
    // Resting orders in a coin are matched against its minutes, whatever their graph reads.
    const minutes = ['BTCUSDT', 'ETHUSDT'].map((symbol) => ({ symbol, interval: '1m' as const }));
    this.#needs = [...minutes, ...visuals.flatMap((visual) => needsOf(visual).candles)];
  }

  /** Reads the candles that have closed since. */
  async read(): Promise<void> {
    for (const { symbol, interval } of this.#needs) {
      const known = this.#of(symbol, interval);
      const last = known.at(-1);
      if (last !== undefined && this.#market.now() < last.closeTimeMs + 1 + INTERVAL_MS[interval]) continue;
      const limit = last === undefined ? 1_000 : 3;
      const page = await this.#market.closedCandles(symbol, interval, { limit });
      known.push(...page.filter(({ openTimeMs }) => last === undefined || openTimeMs > last.openTimeMs));
    }
  }

  closed(
    symbol: string,
    interval: CandleInterval,
    { limit, endTime = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly endTime?: number },
  ): Candle[] {
    return this.#of(symbol, interval)
      .filter(({ closeTimeMs }) => closeTimeMs < endTime)
      .slice(-limit);
  }

  all(symbol: string, interval: CandleInterval): readonly Candle[] {
    return this.#of(symbol, interval);
  }

  #of(symbol: string, interval: CandleInterval): Candle[] {
    return this.ofKey(candleKey(symbol, interval));
  }

  ofKey(key: string): Candle[] {
    const known = this.#byKey.get(key) ?? [];
    this.#byKey.set(key, known);
    return known;
  }
}

/** The order books of one instant, each requested once: many orders of a step would exhaust the rate of requests. */
export class BooksOfInstant {
  readonly #market: MarketData;
  readonly #read = new Map<string, { readonly atMs: number; readonly book: Promise<OrderBook> }>();

  constructor(market: MarketData) {
    this.#market = market;
  }

  readonly whole = (tokenId: string): Promise<OrderBook> => {
    const known = this.#read.get(tokenId);
    const atMs = this.#market.now();
    if (known?.atMs === atMs) return known.book;
    const book = this.#market.orderBook(tokenId);
    this.#read.set(tokenId, { atMs, book });
    return book;
  };

  /** The best level of a book: more of it is unknown to a backtest. */
  readonly best = async (tokenId: string): Promise<OrderBook> => {
    const book = await this.whole(tokenId);
    return { ...book, bids: book.bids.slice(0, 1), asks: book.asks.slice(0, 1) };
  };
}

/** Facts of instruments by the instant of the world at which they were received: the database stores its own time. */
export class FactsByInstant {
  readonly #db: Db;
  readonly #heardMs = new Map<string, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  async note(nowMs: number): Promise<void> {
    const rows = await this.#db.selectFrom('instrument_fact').select(['token_id', 'at']).execute();
    for (const { token_id, at } of rows) {
      const key = `${token_id} ${Date.parse(at)}`;
      if (!this.#heardMs.has(key)) this.#heardMs.set(key, nowMs);
    }
  }

  async of(tokenIds: readonly string[]): Promise<InstrumentFact[]> {
    const facts = await readInstrumentFacts(this.#db, tokenIds, END_OF_TIME_MS);
    return facts.map(({ fromMs, instrument }) => {
      const heardMs = this.#heardMs.get(`${instrument.token_id} ${fromMs}`);
      if (heardMs === undefined) throw new Error(`No time noted for ${instrument.token_id}.`);
      return { fromMs: heardMs, instrument };
    });
  }
}

export function needsOf(visual: unknown) {
  const { plan, issues } = compile(visual, new Map());
  if (plan === null) throw new Error(JSON.stringify(issues));
  return plan.needs;
}

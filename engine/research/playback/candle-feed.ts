import type { SeriesRows } from '../../history/series.ts';
import { type ClosedCandles, candleKey } from '../../strategy/graph/candles.ts';
import type { Candle, CandleNeed, CandleSeries } from '../../strategy/graph/types.ts';

/**
 * The closed candles of one series that a strategy sees at an instant of the tape: those needed to warm up, then those that
 * have closed since the start.
 */
export class CandleFeed {
  readonly key: string;
  readonly need: CandleNeed;
  readonly #all: ClosedCandles;
  #count = 0;

  /** @param candles from the first one needed to the last of the tape */
  constructor(need: CandleNeed, candles: ClosedCandles) {
    this.key = candleKey(need.symbol, need.interval);
    this.need = need;
    this.#all = candles;
  }

  /** Returns the close of the next candle. */
  nextMs(): number {
    return this.#count < this.#all.count ? this.#all.closedAt(this.#count) : Number.POSITIVE_INFINITY;
  }

  /** True if a candle has closed. */
  advance(atMs: number): boolean {
    const before = this.#count;
    while (this.nextMs() <= atMs) this.#count++;
    return this.#count !== before;
  }

  /** Returns the series that the strategy sees; `open` is the forming candle, if known. */
  seriesWith(open: Candle | null, atMs: number): CandleSeries {
    return { closed: this.#all.slice(0, this.#count), open, openAsOf: open === null ? null : atMs };
  }
}

/** Index of the first row in `window` at the beginning of the span: earlier rows are not read. */
export function firstInWindow(
  { columns, count }: SeriesRows<'candle'>,
  fromMs: number,
  window: number,
): number {
  let closed = 0;
  while (closed < count && (columns.closeTimeMs[closed] as number) < fromMs) closed++;
  return Math.max(0, closed - window);
}

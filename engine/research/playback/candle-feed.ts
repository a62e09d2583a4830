import type { SeriesRows } from '../../history/series.ts';
import { type ClosedCandles, candleKey } from '../../strategy/graph/candles.ts';
import type { Candle, CandleNeed, CandleSeries } from '../../strategy/graph/types.ts';

/**
 * The closed candles of one series as a strategy sees them at an instant of the tape: as many before the start as warm it up,
 * and after it those that have closed.
 */
export class CandleFeed {
  readonly key: string;
  readonly need: CandleNeed;
  readonly #all: ClosedCandles;
  #count = 0;

  /** @param candles from the first that is looked at to the last of the tape */
  constructor(need: CandleNeed, candles: ClosedCandles) {
    this.key = candleKey(need.symbol, need.interval);
    this.need = need;
    this.#all = candles;
  }

  /** When the next candle closes. */
  nextMs(): number {
    return this.#count < this.#all.count ? this.#all.closedAt(this.#count) : Number.POSITIVE_INFINITY;
  }

  /** True where a candle has closed. */
  advance(atMs: number): boolean {
    const before = this.#count;
    while (this.nextMs() <= atMs) this.#count++;
    return this.#count !== before;
  }

  /** What a strategy is shown; `open` is the candle that is forming, where that is known. */
  seriesWith(open: Candle | null, atMs: number): CandleSeries {
    return { closed: this.#all.slice(0, this.#count), open, openAsOf: open === null ? null : atMs };
  }
}

/** Place of the first row that is still in `window` when the span begins: rows before it are not looked at. */
export function firstInWindow(
  { columns, count }: SeriesRows<'candle'>,
  fromMs: number,
  window: number,
): number {
  let closed = 0;
  while (closed < count && (columns.closeTimeMs[closed] as number) < fromMs) closed++;
  return Math.max(0, closed - window);
}

import type { SeriesRows } from '../../history/series.ts';
import { ClosedCandles, candleKey } from '../../strategy/graph/candles.ts';
import type { CandleNeed } from '../../strategy/graph/types.ts';

/** Returns the candles of a series from an index on, without a copy. */
export function candlesFrom(
  { columns, count }: SeriesRows<'candle'>,
  first: number,
  isRepeated = false,
): ClosedCandles {
  const cut = (column: Float64Array) => column.subarray(first, count);
  return ClosedCandles.over(
    {
      openTimeMs: cut(columns.openTimeMs),
      closeTimeMs: cut(columns.closeTimeMs),
      open: cut(columns.open),
      high: cut(columns.high),
      low: cut(columns.low),
      close: cut(columns.close),
      volume: cut(columns.volume),
    },
    isRepeated,
  );
}

/**
 * Candles shared by many runs over one span, so that an indicator is computed once for all of them. Every run is warmed up with
 * the longest need.
 */
export class SharedSeries {
  readonly #windows: ReadonlyMap<string, number>;
  readonly #candles = new Map<Float64Array, ClosedCandles>();

  /** @param needs of all runs */
  constructor(needs: readonly CandleNeed[]) {
    const windows = new Map<string, number>();
    for (const { symbol, interval, window } of needs) {
      const key = candleKey(symbol, interval);
      windows.set(key, Math.max(window, windows.get(key) ?? 0));
    }
    this.#windows = windows;
  }

  windowOf({ symbol, interval, window }: CandleNeed): number {
    return this.#windows.get(candleKey(symbol, interval)) ?? window;
  }

  candlesFrom(rows: SeriesRows<'candle'>, first: number): ClosedCandles {
    const key = rows.columns.closeTimeMs;
    const known = this.#candles.get(key) ?? candlesFrom(rows, first, true);
    this.#candles.set(key, known);
    return known;
  }
}

import type { ClosedCandles } from '../../candles.ts';

/** Columns of the candles in a window, oldest first. */
export type WindowCandles = {
  readonly count: number;
  readonly openTimeMs: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
};

export function windowCandlesOf(candles: ClosedCandles, start: number, end: number): WindowCandles {
  return {
    count: end - start,
    openTimeMs: candles.window('openTimeMs', start, end),
    open: candles.window('open', start, end),
    high: candles.window('high', start, end),
    low: candles.window('low', start, end),
    close: candles.window('close', start, end),
    volume: candles.window('volume', start, end),
  };
}

/** Closed candles: how a series is named and how a step finds its candle. */
import { CANDLE_INTERVALS } from '../../venues/views.ts';
import type { Candle } from './types.ts';

export const INTERVALS = CANDLE_INTERVALS;

/** More history than this is never asked of a venue. */
export const WINDOW_MAX = 1_000;

/** The key of a series in `World.candles` and of its clock in `Memory.candles`. */
export function candleKey(symbol: string, interval: string): string {
  return `${symbol}@${interval}`;
}

/** The instant a candle closed: the step it makes. */
export function closedAt(candle: Candle): number {
  return candle.closeTimeMs + 1;
}

/** Index of the last candle that had closed at `at`; -1 if none had. Usually the last one. */
export function indexAt(closed: readonly Candle[], at: number): number {
  let low = 0;
  let high = closed.length;
  const last = closed[high - 1];
  if (last === undefined || closedAt(last) <= at) return high - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (closedAt(closed[middle] as Candle) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

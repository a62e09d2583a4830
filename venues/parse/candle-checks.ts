/**
 * Validates a list of candles of any venue. Indicators compare candles by index. So one extra candle, one of another length or
 * one off the grid shifts all that follow. Pure.
 */

import type { CandleInterval } from '../views.ts';
import { candleOpenOf, nextCandleOpen } from './intervals.ts';

/** A candle's time span (epoch ms, `closeTimeMs` inclusive) and its prices; null if nothing was traded. */
export type Bar = {
  openTimeMs: number;
  closeTimeMs: number;
  prices: { open: number; high: number; low: number; close: number } | null;
};

/** The high is the highest and the low the lowest of the four, and none is negative. */
export function arePricesPossible({ open, high, low, close }: NonNullable<Bar['prices']>): boolean {
  return low >= 0 && low <= Math.min(open, close) && high >= Math.max(open, close);
}

/** Whether a candle opens on the interval's grid (UTC), closes right before the next one, and has possible prices. */
export function isCandleOf(interval: CandleInterval, { openTimeMs, closeTimeMs, prices }: Bar): boolean {
  // The venue itself chooses the days on which candles of three days begin.
  const grid = interval === '3d' ? '1d' : interval;
  const isOnGrid = openTimeMs === candleOpenOf(grid, openTimeMs);
  const isWhole = closeTimeMs === nextCandleOpen(interval, openTimeMs) - 1;
  return isOnGrid && isWhole && (prices === null || arePricesPossible(prices));
}

/**
 * The candles ascending, each once. Null if they are invalid: one does not fit, or two different ones have the same time. The
 * same candle sent twice is one candle.
 */
export function validCandles<T>(
  candles: readonly T[],
  barOf: (candle: T) => Bar,
  fits: (bar: Bar) => boolean,
): T[] | null {
  const byOpen = new Map<number, T>();
  for (const candle of candles) {
    const bar = barOf(candle);
    const known = byOpen.get(bar.openTimeMs);
    if (!fits(bar) || (known !== undefined && JSON.stringify(known) !== JSON.stringify(candle))) return null;
    byOpen.set(bar.openTimeMs, candle);
  }
  return [...byOpen].sort(([a], [b]) => a - b).map(([, candle]) => candle);
}

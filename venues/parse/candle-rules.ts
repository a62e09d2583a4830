/**
 * What makes a list of candles one that may be believed, whichever venue sent it: indicators compare candles by their place
 * in the list, so one too many, one of another length or one off the grid moves all that follow. Pure.
 */

import type { CandleInterval } from '../views.ts';
import { nextOpen, openOf } from './intervals.ts';

/** A candle's place in time (epoch ms, `closeTimeMs` inclusive) and its prices; null where nothing was traded. */
export type Bar = {
  openTimeMs: number;
  closeTimeMs: number;
  prices: { open: number; high: number; low: number; close: number } | null;
};

/** The high is the highest and the low the lowest of the four, and none is negative. */
export function arePossible({ open, high, low, close }: NonNullable<Bar['prices']>): boolean {
  return low >= 0 && low <= Math.min(open, close) && high >= Math.max(open, close);
}

/** Whether a candle opens on the interval's grid (UTC), closes right before the next one, and has prices that can be. */
export function isCandleOf(interval: CandleInterval, { openTimeMs, closeTimeMs, prices }: Bar): boolean {
  // On which day candles of three days begin is the venue's own choice.
  const grid = interval === '3d' ? '1d' : interval;
  const isInPlace = openTimeMs === openOf(grid, openTimeMs);
  const isWhole = closeTimeMs === nextOpen(interval, openTimeMs) - 1;
  return isInPlace && isWhole && (prices === null || arePossible(prices));
}

/**
 * The candles ascending, each once. null where they cannot be believed: one does not fit, or two different ones claim the
 * same time. The same candle sent twice is one candle.
 */
export function inOrder<T>(
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

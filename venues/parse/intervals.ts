/** Lengths of candles and their times, in UTC. Pure. */
import { KLINE_INTERVALS } from '../history-source.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import type { CandleInterval, HistoryInterval } from '../views.ts';

/** Seconds are stored as history; views and strategies begin at a minute. */
export type AnyInterval = CandleInterval | '1s';

/** The smallest time between two candles of an interval; only months differ. */
export const INTERVAL_MS: Record<AnyInterval, number> = {
  ...KLINE_INTERVALS,
  '3d': 3 * DAY_MS,
  '1w': 7 * DAY_MS,
  '1M': 28 * DAY_MS,
};

/** Weeks begin on Monday; 1970 began on a Thursday. */
const MONDAY_MS = 4 * DAY_MS;

/** The opening time of the candle that contains a time. */
export function candleOpenOf(interval: AnyInterval, timeMs: number): number {
  if (interval === '1M') {
    const date = new Date(timeMs);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const lengthMs = INTERVAL_MS[interval];
  const shiftMs = interval === '1w' ? MONDAY_MS : 0;
  return Math.floor((timeMs - shiftMs) / lengthMs) * lengthMs + shiftMs;
}

/** The opening time of the candle after the one that opened at `openMs`. */
export function nextCandleOpen(interval: AnyInterval, openMs: number): number {
  if (interval !== '1M') return openMs + INTERVAL_MS[interval];
  const date = new Date(openMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The closing time of the candle after the one whose last millisecond is `closeTimeMs`. */
export const nextCandleClose = (interval: CandleInterval, closeTimeMs: number): number =>
  nextCandleOpen(interval, closeTimeMs + 1);

/** Lifetime of a cached history: the longer its span, the less its last point matters. */
export const HISTORY_TTL_MS: Record<HistoryInterval, number> = {
  '1d': 30 * SECOND_MS,
  '1w': 2 * MINUTE_MS,
  '1m': 5 * MINUTE_MS,
  all: 10 * MINUTE_MS,
};

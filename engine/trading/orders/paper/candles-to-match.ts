import type { Candle } from '../../../../venues/port.ts';

/** Interval of the shortest candles, which show trades between two quotes. */
export const CANDLE_MS = 60_000;
/** Maximum number of candles that a resting order is matched with after a pause. */
const CANDLES_MAX = 1_000;

/** Returns the number of closed candles to request since an order arrived or was last matched; capped after a long pause. */
export function candlesToRequest(since: string, nowMs: number): number {
  const closed = Math.floor((nowMs - Date.parse(since)) / CANDLE_MS);
  return Math.min(Math.max(closed, 0), CANDLES_MAX);
}

/** Returns the candles that opened after an order arrived and were not matched with it yet. */
export const unmatchedCandles = (candles: readonly Candle[], candleAt: string | null): Candle[] =>
  candleAt === null ? [] : candles.filter(({ openTimeMs }) => openTimeMs >= Date.parse(candleAt));

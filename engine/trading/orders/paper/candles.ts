import type { Candle } from '../../../../venues/port.ts';

/** The shortest candles there are: what may have been traded between two quotes. */
export const CANDLE_MS = 60_000;
/** How far back a resting order is matched after a pause, in candles. */
const CANDLES_MAX = 1_000;

/** How many closed candles there may be since an order came or last met one; the newest, if it was paused for long. */
export function candlesToAsk(since: string, nowMs: number): number {
  const closed = Math.floor((nowMs - Date.parse(since)) / CANDLE_MS);
  return Math.min(Math.max(closed, 0), CANDLES_MAX);
}

/** The candles that opened after an order came, and that it has not met yet. */
export const unseenCandles = (candles: readonly Candle[], candleAt: string | null): Candle[] =>
  candleAt === null ? [] : candles.filter(({ openTimeMs }) => openTimeMs >= Date.parse(candleAt));

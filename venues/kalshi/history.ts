/** Price history of a Kalshi market from its candles. */

import { VenueError } from '../errors.ts';
import type { Deadline } from '../http/deadline.ts';
import type { Upstream } from '../http/upstream.ts';
import { arePricesPossible, type Bar, validCandles } from '../parse/candle-checks.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import type { HistoryInterval, Point } from '../views.ts';
import { downsampled, pointsOf, statusOf } from './normalize.ts';
import { ArchivedCandlesAnswer, CandlesAnswer, type WireCandle, type WireLife } from './wire.ts';

/** The candle lengths that Kalshi has, in minutes. */
type Period = 1 | 60 | 1440;

type Window = {
  startMs: number;
  endMs: number;
  period: Period;
};

const SPAN_MS: Record<Exclude<HistoryInterval, 'all'>, number> = {
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
  '1m': 30 * DAY_MS,
};
/** Minute candles of a day become points of five minutes. */
const DAY_POINTS_APART_MS = 5 * MINUTE_MS;
/** Used if a market does not state when it opened. */
const DEFAULT_AGE_MS = 365 * DAY_MS;

/** The window of an interval: up to now, or up to the close of a closed market. */
export function windowOf(market: WireLife, interval: HistoryInterval, nowMs: number): Window {
  const closesMs = market.close_time === null ? nowMs : Date.parse(market.close_time);
  const ended = ['closed', 'settled'].includes(statusOf(market));
  const endMs = ended ? Math.min(nowMs, closesMs) : nowMs;
  const opensMs = market.open_time === null ? endMs - DEFAULT_AGE_MS : Date.parse(market.open_time);
  const startMs = interval === 'all' ? Math.min(opensMs, endMs - HOUR_MS) : endMs - SPAN_MS[interval];
  return { startMs, endMs, period: periodFor(endMs - startMs) };
}

function periodFor(spanMs: number): Period {
  if (spanMs <= DAY_MS) return 1;
  return spanMs <= 30 * DAY_MS ? 60 : 1440;
}

export async function candlePoints(
  api: Upstream,
  market: WireLife,
  archived: boolean,
  window: Window,
  deadline: Deadline,
): Promise<Point[]> {
  const { startMs, endMs, period } = window;
  const query = {
    start_ts: Math.floor(startMs / SECOND_MS),
    end_ts: Math.ceil(endMs / SECOND_MS),
    period_interval: period,
  };
  const candles = archived
    ? await archivedCandles(api, market.ticker, query, deadline)
    : await liveCandles(api, market.ticker, query, deadline);
  const ordered = validCandles(candles, barOf(period), fitsIn(period, startMs));
  if (ordered === null) {
    throw VenueError.unavailable('venue A sent candles of unexpected shape');
  }
  const points = pointsOf(ordered, startMs);
  return period === 1 ? downsampled(points, DAY_POINTS_APART_MS) : points;
}

/** Kalshi's candles state their end. */
const barOf =
  (period: Period) =>
  ({ end_period_ts: endSec, price: { open, high, low, close } }: WireCandle): Bar => {
    const endMs = endSec * SECOND_MS;
    const isTraded = open !== null && high !== null && low !== null && close !== null;
    return {
      openTimeMs: endMs - period * MINUTE_MS,
      closeTimeMs: endMs - 1,
      prices: isTraded
        ? { open: Number(open), high: Number(high), low: Number(low), close: Number(close) }
        : null,
    };
  };

/** Days end at midnight in New York, which is a full hour. The price before the window has its own time. */
const fitsIn =
  (period: Period, startMs: number) =>
  ({ openTimeMs, closeTimeMs, prices }: Bar): boolean => {
    const endMs = closeTimeMs + 1;
    const isOnGrid = endMs <= startMs || endMs % (Math.min(period, 60) * MINUTE_MS) === 0;
    return isOnGrid && openTimeMs >= 0 && (prices === null || arePricesPossible(prices));
  };

type CandleQuery = Record<'start_ts' | 'end_ts' | 'period_interval', number>;

/** The batch route: it needs no series ticker. It also returns the price before the window. */
async function liveCandles(api: Upstream, ticker: string, query: CandleQuery, deadline: Deadline) {
  const answer = await api.request('markets/candlesticks', {
    schema: CandlesAnswer,
    query: { ...query, market_tickers: ticker, include_latest_before_start: true },
    deadline,
  });
  return answer.markets.find(({ market_ticker }) => market_ticker === ticker)?.candlesticks ?? [];
}

async function archivedCandles(api: Upstream, ticker: string, query: CandleQuery, deadline: Deadline) {
  const path = `historical/markets/${encodeURIComponent(ticker)}/candlesticks`;
  const answer = await api.request(path, { schema: ArchivedCandlesAnswer, query, deadline });
  return answer.candlesticks;
}

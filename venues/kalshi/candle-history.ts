/** Quotes of both sides of a Kalshi market, over any span, live or archived. */

import type { FeedClock } from '../clock.ts';
import { VenueError } from '../errors.ts';
import {
  type BidAskRow,
  type HistoryPage,
  type HistoryRange,
  type HistorySeriesKey,
  KALSHI_CANDLES_PER_REQUEST,
  rowsOfPage,
} from '../history-source.ts';
import { pageDeadline, RequestPacer } from '../http/request-pacer.ts';
import type { Upstream } from '../http/upstream.ts';
import { arePricesPossible } from '../parse/candle-checks.ts';
import { complement, exactNumber, toNumber } from '../parse/decimal.ts';
import type { RecordParser } from '../parse/record-parser.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { type Side, statusOf } from './normalize.ts';
import {
  ArchivedCandle,
  LiveCandle,
  UnreadArchivedCandlesAnswer,
  UnreadCandlesAnswer,
  type WireCandle,
  type WireLife,
} from './wire.ts';

const PERIODS_MS: readonly number[] = [MINUTE_MS, HOUR_MS, DAY_MS];

const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
});
const isMidnight = (timeMs: number): boolean => NEW_YORK.format(timeMs) === '00:00';

/** The start of a candle that ends at `endMs`, or null if none ends there: days are those of New York, 23 to 25 hours long. */
export function periodStart(endMs: number, periodMs: number): number | null {
  if (periodMs !== DAY_MS) return endMs % periodMs === 0 ? endMs - periodMs : null;
  if (!isMidnight(endMs)) return null;
  return [24, 23, 25].map((hours) => endMs - hours * HOUR_MS).find(isMidnight) ?? null;
}

type Prices = Pick<WireCandle['yes_bid'], 'open' | 'high' | 'low' | 'close'>;
type Numbers = { open: number | null; high: number | null; low: number | null; close: number | null };

/** The four prices as numbers; null if they are impossible, which differs from not stated. */
function numbersOf({ open, high, low, close }: Prices, isOther: boolean): Numbers | null {
  const texts = isOther ? { open, high: low, low: high, close } : { open, high, low, close };
  const read = (text: string | null) =>
    text === null ? null : exactNumber(isOther ? complement(text) : text);
  const [o, h, l, c] = [read(texts.open), read(texts.high), read(texts.low), read(texts.close)];
  const isStated = o !== null && h !== null && l !== null && c !== null;
  if (isStated && !arePricesPossible({ open: o, high: h, low: l, close: c })) return null;
  return { open: o, high: h, low: l, close: c };
}

/** The requested series of a market. */
export type MarketSeries = HistorySeriesKey & {
  readonly market: WireLife;
  readonly side: Side;
  readonly isArchived: boolean;
};

/** A candle of yes as the row of a side, or null if it is invalid. A bid for no is an offer of yes. Pure. */
export function bidAskRow(candle: WireCandle, periodMs: number, side: Side): BidAskRow | null {
  const endMs = candle.end_period_ts * SECOND_MS;
  const openTimeMs = periodStart(endMs, periodMs);
  const isOther = side === 'no';
  const bid = numbersOf(isOther ? candle.yes_ask : candle.yes_bid, isOther);
  const ask = numbersOf(isOther ? candle.yes_bid : candle.yes_ask, isOther);
  if (openTimeMs === null || bid === null || ask === null) return null;
  return {
    openTimeMs,
    closeTimeMs: endMs - 1,
    bidOpen: bid.open,
    bidHigh: bid.high,
    bidLow: bid.low,
    bidClose: bid.close,
    askOpen: ask.open,
    askHigh: ask.high,
    askLow: ask.low,
    askClose: ask.close,
    volume: toNumber(candle.volume),
    openInterest: candle.open_interest === null ? null : toNumber(candle.open_interest),
  };
}

export class CandleHistory {
  readonly #api: Upstream;
  readonly #clock: FeedClock;
  readonly #reader: RecordParser;
  readonly #pace: RequestPacer;

  constructor(api: Upstream, clock: FeedClock, reader: RecordParser) {
    this.#api = api;
    this.#clock = clock;
    this.#reader = reader;
    this.#pace = new RequestPacer(api.backgroundRate());
  }

  /** Windows of as many candles as a list may have. No requests for times before a market opened or after it closed. */
  async *pages(series: MarketSeries, span: HistoryRange, signal: AbortSignal): AsyncIterable<HistoryPage> {
    const { kind, resolutionMs } = series;
    if (kind !== 'bid_ask' || !PERIODS_MS.includes(resolutionMs)) {
      throw VenueError.badRequest('venue A has no such series');
    }
    const life = lifeOf(series.market, resolutionMs);
    for (let fromMs = span.fromMs; fromMs < span.toMs; ) {
      const isAlive = fromMs >= life.fromMs && fromMs < life.toMs;
      const nextMs = isAlive
        ? Math.min(fromMs + KALSHI_CANDLES_PER_REQUEST * resolutionMs, life.toMs)
        : fromMs < life.fromMs
          ? life.fromMs
          : span.toMs;
      const coveredRange = { fromMs, toMs: Math.min(span.toMs, nextMs) };
      yield { rows: isAlive ? await this.#window(series, coveredRange, signal) : [], coveredRange };
      fromMs = coveredRange.toMs;
    }
  }

  async #window(series: MarketSeries, span: HistoryRange, signal: AbortSignal): Promise<BidAskRow[]> {
    const { resolutionMs, side, isArchived } = series;
    const query = {
      start_ts: Math.floor(span.fromMs / SECOND_MS),
      // The last candle that opens within the span ends later: at most 25 hours later, for a day.
      end_ts: Math.ceil((span.toMs + resolutionMs + HOUR_MS) / SECOND_MS),
      period_interval: resolutionMs / MINUTE_MS,
    };
    await this.#pace.waitForSlot(signal);
    const records = await this.#ask(series, query, signal);
    const schema = isArchived ? ArchivedCandle : LiveCandle;
    const { read, unread } = this.#reader.all<WireCandle>(schema, records, 'end_period_ts');
    const nowMs = this.#clock.now();
    const made = read.flatMap((candle) => bidAskRow(candle, resolutionMs, side) ?? []);
    const closed = made.filter(({ closeTimeMs }) => closeTimeMs < nowMs);
    const { rows, conflicting } = rowsOfPage(closed, span);
    const bad = unread + conflicting + read.length - made.length;
    if (rows.length === 0 && bad > 0 && bad >= records.length) throw this.#reader.unreadable();
    return rows;
  }

  async #ask(
    { market: { ticker }, isArchived }: MarketSeries,
    query: Record<string, number>,
    signal: AbortSignal,
  ): Promise<unknown[]> {
    using deadline = pageDeadline(signal);
    const options = { deadline, priority: 'background' } as const;
    if (isArchived) {
      const path = `historical/markets/${encodeURIComponent(ticker)}/candlesticks`;
      const answer = await this.#api.request(path, {
        schema: UnreadArchivedCandlesAnswer,
        query,
        ...options,
      });
      return answer.candlesticks;
    }
    const { markets } = await this.#api.request('markets/candlesticks', {
      schema: UnreadCandlesAnswer,
      query: { ...query, market_tickers: ticker },
      ...options,
    });
    return markets.find(({ market_ticker }) => market_ticker === ticker)?.candlesticks ?? [];
  }
}

/** From the row in which a market opened to the one in which it closed. A day of margin if days differ in length. */
function lifeOf(market: WireLife, resolutionMs: number): HistoryRange {
  const opens = market.open_time === null ? 0 : Date.parse(market.open_time);
  const isOver = ['closed', 'settled'].includes(statusOf(market));
  const closes =
    isOver && market.close_time !== null ? Date.parse(market.close_time) : Number.MAX_SAFE_INTEGER;
  const grid = (timeMs: number) => Math.floor(timeMs / resolutionMs) * resolutionMs;
  return {
    fromMs: Math.max(0, grid(opens) - resolutionMs),
    toMs: Math.min(closes, grid(closes)) + 2 * resolutionMs,
  };
}

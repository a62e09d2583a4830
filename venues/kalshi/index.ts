/** Venue A: Kalshi's public market data behind the port. */

import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { type Answer, Answers } from '../answers.ts';
import type { FeedClock } from '../clock.ts';
import { VenueError } from '../errors.ts';
import type { HistoryPage, HistoryRange, HistorySeriesKey, HistorySource } from '../history-source.ts';
import type { Deadline } from '../http/deadline.ts';
import { pageDeadline } from '../http/request-pacer.ts';
import { atPriority, type Priority, type Upstream } from '../http/upstream.ts';
import { HistoryInterval, ListCount, parseParam, SearchText, Ticker } from '../params.ts';
import { complement, product, trimmed } from '../parse/decimal.ts';
import { HISTORY_TTL_MS } from '../parse/intervals.ts';
import { type ParsedRecords, RecordParser } from '../parse/record-parser.ts';
import { feesOf } from '../parse/view-parts.ts';
import type { ParseErrorLog } from '../parse-error-log.ts';
import type {
  BookLevel,
  FeeSchedule,
  InstrumentInfo,
  Markets,
  OrderBook,
  Quote,
  SeriesQuery,
  VenueA,
} from '../reads.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { chunks, levelsBestFirst, type Trading } from '../trading.ts';
import type { History, MarketList, Source } from '../views.ts';
import { CandleHistory } from './candle-history.ts';
import { Catalogue, TICKERS_MAX } from './catalogue.ts';
import { candlePoints, windowOf } from './history.ts';
import { instrumentOf } from './instrument.ts';
import { marketOf, quoteOf, rulesOf, type Side, statusOf } from './normalize.ts';
import { listSeries } from './series-listing.ts';
import {
  BookAnswer,
  EventAnswer,
  EventsAnswer,
  MarketsAnswer,
  marketAnswer,
  SeriesAnswer,
  WireEvent,
  WireLife,
  WireMarket,
  WireQuote,
  WireTerms,
} from './wire.ts';

export type KalshiOptions = {
  /** The trade API v2. */
  api: Upstream;
  /** The v1 search. */
  search: Upstream;
  clock: FeedClock;
  source: Source;
  parseErrors: ParseErrorLog;
};

/** The wanted part of a market: its view, its terms or its life. */
type MarketSchema<T> = z.ZodType<T & { ticker: string }>;

type Found<T> = {
  market: T;
  /** Settled more than about three months ago: served by other routes. */
  archived: boolean;
};

/**
 * Fee of a taker: 0.07 × multiplier × contracts × price × (1 − price), rounded up to $0.0001. Some series charge makers a
 * quarter.
 */
const FEE = { takerRate: '0.07', makerShare: '0.25', roundUpTo: '0.0001' };

export class Kalshi implements VenueA, Markets, Trading, HistorySource {
  readonly #api: Upstream;
  readonly #clock: FeedClock;
  readonly #answers: Answers;
  readonly #catalogue: Catalogue;
  readonly #reader: RecordParser;
  readonly #past: CandleHistory;
  /** Titles and series of events, which do not change. */
  readonly #events = new LRUCache<string, WireEvent>({ max: 2_000, ttl: DAY_MS });

  constructor({ api, search, clock, source, parseErrors }: KalshiOptions) {
    this.#api = api;
    this.#clock = clock;
    this.#answers = new Answers(clock, source);
    this.#reader = new RecordParser('venue A', parseErrors);
    this.#past = new CandleHistory(api, clock, this.#reader);
    this.#catalogue = new Catalogue({ api, search }, this.#reader);
  }

  find(words: string, limit: number): Promise<MarketList> {
    return words === '' ? this.top(limit) : this.search(words, limit);
  }

  async search(text: string, limit: number): Promise<MarketList> {
    const wanted = parseParam(SearchText, 'search', text);
    const count = parseParam(ListCount, 'limit', limit);
    const { value, source, asOf } = await this.#answers.get(
      `search:${wanted}`,
      { ttlMs: 30 * SECOND_MS },
      async (deadline) => this.#openMarkets(await this.#catalogue.matching(wanted, deadline), deadline),
    );
    return { kind: 'search', markets: value.slice(0, count), source, asOf };
  }

  async top(count: number): Promise<MarketList> {
    const wanted = parseParam(ListCount, 'top', count);
    const { value, source, asOf } = await this.#answers.get('top', { ttlMs: MINUTE_MS }, async (deadline) => {
      const markets = await this.#openMarkets(await this.#catalogue.busiest(deadline), deadline);
      return markets.sort((a, b) => (b.volume24h ?? 0) - (a.volume24h ?? 0)).slice(0, 50);
    });
    return { kind: 'top', markets: value.slice(0, wanted), source, asOf };
  }

  async market(ticker: string) {
    const wanted = parseParam(Ticker, 'ticker', ticker);
    const { value, source, asOf } = await this.#answers.get(
      `market:${wanted}`,
      { ttlMs: 5 * SECOND_MS },
      async (deadline) => {
        const { market } = await this.#find(WireMarket, wanted, deadline);
        const event = (await this.#eventsOf([market], deadline)).get(market.event_ticker) ?? null;
        const fees = event === null ? null : feesOf(await this.#feeIfKnown(event.series_ticker, deadline));
        return marketOf(market, event, { rules: rulesOf(market), fees });
      },
    );
    return { kind: 'market' as const, market: value, source, asOf };
  }

  async history(ticker: string, interval: HistoryInterval): Promise<History> {
    const ref = parseParam(Ticker, 'ref', ticker);
    const span = parseParam(HistoryInterval, 'interval', interval);
    const { value, source, asOf } = await this.#answers.get(
      `history:${ref}:${span}`,
      { ttlMs: HISTORY_TTL_MS[span] },
      async (deadline) => {
        const { market, archived } = await this.#find(WireLife, ref, deadline);
        const window = windowOf(market, span, this.#clock.now());
        return candlePoints(this.#api, market, archived, window, deadline);
      },
    );
    return { kind: 'history', ref, interval: span, points: value, source, asOf };
  }

  async *historyPages(
    series: HistorySeriesKey,
    span: HistoryRange,
    signal: AbortSignal,
  ): AsyncIterable<HistoryPage> {
    const { ticker, side } = partsOf(series.tokenId);
    using deadline = pageDeadline(signal);
    const { market, archived } = await atPriority('background', () =>
      this.#find(WireLife, parseParam(Ticker, 'tokenId', ticker), deadline),
    );
    yield* this.#past.pages({ ...series, market, side, isArchived: archived }, span, signal);
  }

  async instrument(tokenId: string): Promise<InstrumentInfo> {
    const { ticker, side } = partsOf(tokenId);
    const { value } = await this.#answers.get(
      `instrument:${tokenId}`,
      { ttlMs: 5 * SECOND_MS, staleAllowed: false },
      async (deadline) => {
        const { market } = await this.#find(WireTerms, ticker, deadline);
        const event = (await this.#eventsOf([market], deadline)).get(market.event_ticker) ?? null;
        const feeSchedule = event === null ? null : await this.#feeOf(event.series_ticker, deadline);
        return instrumentOf({ market, side, event, feeSchedule, series: event?.series_ticker ?? null });
      },
    );
    return value;
  }

  async seriesMarkets(query: SeriesQuery): Promise<InstrumentInfo[] | null> {
    const series = parseParam(Ticker, 'series', query.series);
    const { value } = await this.#answers.get(
      `markets of ${series}:${query.firstMs}:${query.lastMs}`,
      { ttlMs: 5 * SECOND_MS, staleAllowed: false },
      async (deadline) => {
        const options = { api: this.#api, clock: this.#clock, reader: this.#reader };
        const markets = await atPriority('background', () =>
          listSeries(options, { ...query, series }, deadline),
        );
        if (markets === null || markets.length === 0) return markets === null ? null : [];
        const feeSchedule = await this.#feeOf(series, deadline);
        return markets.flatMap((market) =>
          SIDES.map((side) => instrumentOf({ market, side, event: null, feeSchedule, series })),
        );
      },
    );
    return value;
  }

  async quotes(tokenIds: readonly string[]): Promise<Quote[]> {
    const parts = tokenIds.map(partsOf);
    const tickers = [...new Set(parts.map(({ ticker }) => ticker))].sort();
    const answers = await Promise.all(chunks(tickers, TICKERS_MAX).map((chunk) => this.#quoted(chunk)));
    this.#reader.someOf(answers.map(({ value }) => value));
    const found = new Map(
      answers.flatMap(({ value, asOf }) => value.read.map((market) => [market.ticker, { market, asOf }])),
    );
    return parts.flatMap(({ ticker, side }) => {
      const quoted = found.get(ticker);
      return quoted === undefined ? [] : [quoteOf(quoted.market, side, quoted.asOf)];
    });
  }

  async orderBook(tokenId: string): Promise<OrderBook> {
    const { ticker, side } = partsOf(tokenId);
    const { value, asOf } = await this.#answers.get(
      `book:${ticker}`,
      { ttlMs: SECOND_MS, staleAllowed: false },
      (deadline) =>
        this.#api.request(`markets/${encodeURIComponent(ticker)}/orderbook`, {
          schema: BookAnswer,
          query: { depth: 100 },
          deadline,
          priority: 'trading',
        }),
    );
    const yes = rows(value.orderbook_fp.yes_dollars);
    const no = rows(value.orderbook_fp.no_dollars);
    const [bids, offers] = side === 'yes' ? [yes, no] : [no, yes];
    // Kalshi shows bids only: an offer of this side is a bid for the other.
    const asks = offers.map(({ price, size }) => ({ price: complement(price), size }));
    return { tokenId, ...levelsBestFirst(bids, asks), asOf };
  }

  #quoted(tickers: string[]): Promise<Answer<ParsedRecords<WireQuote>>> {
    return this.#answers.get(
      `quotes:${tickers.join()}`,
      { ttlMs: SECOND_MS, staleAllowed: false },
      (deadline) => this.#markets(WireQuote, tickers, deadline, 'trading'),
    );
  }

  async #markets<T>(
    schema: z.ZodType<T>,
    tickers: readonly string[],
    deadline: Deadline,
    priority: Priority = 'view',
  ): Promise<ParsedRecords<T>> {
    if (tickers.length === 0) return { read: [], unread: 0 };
    const { markets } = await this.#api.request('markets', {
      schema: MarketsAnswer,
      query: { tickers: tickers.join(), limit: TICKERS_MAX },
      deadline,
      priority,
    });
    return this.#reader.all(schema, markets, 'ticker');
  }

  /** The open markets among these tickers, in their order, with the titles of their events. */
  async #openMarkets(tickers: readonly string[], deadline: Deadline) {
    const markets = this.#reader.someOf([await this.#markets(WireMarket, tickers, deadline)]);
    const byTicker = new Map(markets.map((item) => [item.ticker, item]));
    const open = tickers.flatMap((ticker) => {
      const market = byTicker.get(ticker);
      return market !== undefined && statusOf(market) === 'open' ? [market] : [];
    });
    const events = await this.#eventsOf(open, deadline);
    return open.map((market) => marketOf(market, events.get(market.event_ticker) ?? null));
  }

  /** A market, even if it has moved to the archive. */
  async #find<T>(schema: MarketSchema<T>, ticker: string, deadline: Deadline): Promise<Found<T>> {
    const path = encodeURIComponent(ticker);
    const options = { schema: marketAnswer(schema), deadline, callersValue: true };
    try {
      const { market } = await this.#api.request(`markets/${path}`, options);
      return { market: requireTicker(ticker, market), archived: false };
    } catch (error) {
      if (!(error instanceof VenueError) || error.kind !== 'not_found') throw error;
    }
    const refusal = () => VenueError.notFound(`venue A has no market ${ticker}`);
    const { market } = await this.#api.request(`historical/markets/${path}`, { ...options, refusal });
    return { market: requireTicker(ticker, market), archived: true };
  }

  /** The events of these markets; unknown ones are requested in one call. */
  async #eventsOf(markets: readonly WireTerms[], deadline: Deadline): Promise<Map<string, WireEvent>> {
    const tickers = [...new Set(markets.map(({ event_ticker }) => event_ticker))];
    const missing = tickers.filter((ticker) => !this.#events.has(ticker));
    if (missing.length > 0) {
      const { events } = await this.#api.request('events', {
        schema: EventsAnswer,
        query: { tickers: missing.join(), limit: 200 },
        deadline,
      });
      const { read } = this.#reader.all(WireEvent, events, 'event_ticker');
      for (const event of read) this.#events.set(event.event_ticker, event);
      await this.#ensureLoneEvent(tickers, deadline);
    }
    return new Map(
      tickers.flatMap((ticker) => {
        const event = this.#events.get(ticker);
        return event === undefined ? [] : [[ticker, event]];
      }),
    );
  }

  /** If one event is wanted and the list lacks it, requests the event's own route, which contains all its markets. */
  async #ensureLoneEvent(tickers: readonly string[], deadline: Deadline): Promise<void> {
    const [ticker, ...others] = tickers;
    if (ticker === undefined || others.length > 0 || this.#events.has(ticker)) return;
    const path = `events/${encodeURIComponent(ticker)}`;
    try {
      const { event } = await this.#api.request(path, { schema: EventAnswer, deadline });
      if (event.event_ticker !== ticker) throw VenueError.mismatched('venue A', ticker);
      this.#events.set(ticker, event);
    } catch (error) {
      if (!(error instanceof VenueError) || error.kind !== 'not_found') throw error;
    }
  }

  /** For a view: if the venue does not state its fee now, the view still shows prices. */
  async #feeIfKnown(seriesTicker: string, deadline: Deadline): Promise<FeeSchedule | null> {
    try {
      return await this.#feeOf(seriesTicker, deadline);
    } catch (error) {
      if (error instanceof VenueError) return null;
      throw error;
    }
  }

  /** The fee schedule of a series; null if its formula is unknown. */
  async #feeOf(seriesTicker: string, deadline: Deadline): Promise<FeeSchedule | null> {
    const freshness = { ttlMs: MINUTE_MS, deadlineMs: deadline.remainingMs() };
    const { value } = await this.#answers.get(`series:${seriesTicker}`, freshness, (limit) =>
      this.#api.request(`series/${encodeURIComponent(seriesTicker)}`, {
        schema: SeriesAnswer,
        deadline: limit,
        refusal: () => VenueError.unavailable('venue A did not state the fee of the series of that market'),
      }),
    );
    const { fee_type: type, fee_multiplier: multiplier } = value.series;
    if (type !== 'quadratic' && type !== 'quadratic_with_maker_fees') return null;
    const takerRate = product(FEE.takerRate, multiplier);
    return {
      formula: 'probability',
      takerRate,
      makerRate: type === 'quadratic' ? '0' : product(FEE.makerShare, takerRate),
      exponent: 1,
      roundUpTo: FEE.roundUpTo,
    };
  }
}

const SIDES: readonly Side[] = ['yes', 'no'];

/** The parts of `TICKER:yes`; the port has checked the form. */
function partsOf(tokenId: string): { ticker: string; side: Side } {
  const [ticker = '', side] = tokenId.split(':');
  return { ticker, side: side === 'no' ? 'no' : 'yes' };
}

/** The market, if it is the requested one. */
function requireTicker<T>(ticker: string, market: T & { ticker: string }): T {
  if (market.ticker !== ticker) throw VenueError.mismatched('venue A', ticker);
  return market;
}

const rows = (side: [string, string][] | null | undefined): BookLevel[] =>
  (side ?? []).map(([price, size]) => ({ price: trimmed(price), size: trimmed(size) }));

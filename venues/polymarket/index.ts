/** Venue B: Polymarket's public market data (Gamma for records, CLOB for prices) behind the port. */
import { type Answer, Answers } from '../answers.ts';
import type { FeedClock } from '../clock.ts';
import type { HistoryPage, HistoryRange, HistorySeriesKey, HistorySource } from '../history-source.ts';
import type { Deadline } from '../http/deadline.ts';
import { pageDeadline } from '../http/request-pacer.ts';
import { atPriority, type Upstream } from '../http/upstream.ts';
import { HistoryInterval, ListCount, parseParam, SearchText, Slug, Token } from '../params.ts';
import { toNumber, toNumberOrNull, trimmed } from '../parse/decimal.ts';
import { HISTORY_TTL_MS } from '../parse/intervals.ts';
import { RecordParser } from '../parse/record-parser.ts';
import type { ParseErrorLog } from '../parse-error-log.ts';
import type { BookLevel, InstrumentInfo, Markets, OrderBook, Quote, SeriesQuery, VenueB } from '../reads.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';
import { levelsBestFirst, type Trading } from '../trading.ts';
import type {
  Book,
  EventMarkets,
  EventRows,
  History,
  Level,
  MarketEvent,
  MarketRows,
  RawMarket,
  SingleEvent,
  Source,
  TokenMarket,
  TopMarkets,
} from '../views.ts';
import { instrumentOf, quoteOf } from './instrument.ts';
import { MarketRecordReader } from './market-record-reader.ts';
import { MidpointHistory } from './midpoint-history.ts';
import {
  isBinary,
  isPlaceholder,
  marketOf,
  marketRowsOf,
  midOf,
  outcomeIndexOf,
  statusOf,
} from './normalize.ts';
import { listSeries } from './series-listing.ts';
import { tokenPriceHistory } from './token-price-history.ts';
import {
  EventsPage,
  MarketsPage,
  SearchAnswer,
  type WireBook,
  WireLife,
  WireMarket,
  WireTerms,
} from './wire.ts';

export type PolymarketOptions = {
  gamma: Upstream;
  clob: Upstream;
  data: Upstream;
  clock: FeedClock;
  source: Source;
  parseErrors: ParseErrorLog;
};

/** An event can have 90 KB, so the 50 most active ones are requested in two pages. */
const EVENTS_PER_PAGE = 25;
const LISTED_MAX = 50;
const SEARCH_SIZES = [20, 50] as const;
const BY_VOLUME = { closed: false, order: 'volume24hr', ascending: false };

type Expand = 'markets';

export class Polymarket implements VenueB, Markets, Trading, HistorySource {
  readonly #gamma: Upstream;
  readonly #clob: Upstream;
  readonly #clock: FeedClock;
  readonly #answers: Answers;
  readonly #records: MarketRecordReader;
  readonly #reader: RecordParser;
  readonly #past: MidpointHistory;

  constructor({ gamma, clob, data, clock, source, parseErrors }: PolymarketOptions) {
    this.#gamma = gamma;
    this.#clob = clob;
    this.#clock = clock;
    this.#answers = new Answers(clock, source);
    const reader = new RecordParser('venue B', parseErrors);
    this.#reader = reader;
    this.#past = new MidpointHistory({ clob, data }, clock, reader);
    this.#records = new MarketRecordReader({ gamma, clob }, this.#answers, reader);
  }

  find(words: string, limit: number): Promise<MarketRows> {
    return words === '' ? this.trending(limit, 'markets') : this.search(words, limit, 'markets');
  }

  search(text: string, limit: number): Promise<EventRows>;
  search(text: string, limit: number, expand: Expand): Promise<MarketRows>;
  async search(text: string, limit: number, expand?: Expand): Promise<EventRows | MarketRows> {
    const wanted = parseParam(SearchText, 'search', text);
    const count = parseParam(ListCount, 'limit', limit);
    const size = SEARCH_SIZES.find((item) => item >= count) ?? LISTED_MAX;
    const answer = await this.#answers.get(
      `search:${size}:${wanted}`,
      { ttlMs: 30 * SECOND_MS },
      async (deadline) => {
        const { events } = await this.#gamma.request('public-search', {
          schema: SearchAnswer,
          query: {
            q: wanted,
            limit_per_type: size,
            events_status: 'active',
            keep_closed_markets: 0,
            search_tags: false,
            search_profiles: false,
          },
          deadline,
          callersValue: true,
        });
        return this.#records.events(events ?? []);
      },
    );
    return listed('search', answer, count, expand === 'markets' ? count : null);
  }

  trending(count: number): Promise<EventRows>;
  trending(count: number, expand: Expand): Promise<MarketRows>;
  async trending(count: number, expand?: Expand): Promise<EventRows | MarketRows> {
    const wanted = parseParam(ListCount, 'trending', count);
    const pages = wanted <= EVENTS_PER_PAGE ? 1 : 2;
    const answer = await this.#answers.get(`trending:${pages}`, { ttlMs: MINUTE_MS }, (deadline) =>
      this.#trendingEvents(pages, deadline),
    );
    return listed('trending', answer, wanted, expand === 'markets' ? Number.POSITIVE_INFINITY : null);
  }

  async top(count: number): Promise<TopMarkets> {
    const wanted = parseParam(ListCount, 'top', count);
    const { value, source, asOf } = await this.#answers.get('top', { ttlMs: MINUTE_MS }, async (deadline) => {
      const { markets } = await this.#gamma.request('markets/keyset', {
        schema: MarketsPage,
        query: { ...BY_VOLUME, limit: LISTED_MAX },
        deadline,
      });
      const visible = this.#records.markets(markets).filter((item) => isBinary(item) && !isPlaceholder(item));
      return visible.map((market) => marketOf(market));
    });
    return { kind: 'top', markets: value.slice(0, wanted), source, asOf };
  }

  slug(slug: string): Promise<SingleEvent | TokenMarket>;
  slug(slug: string, expand: Expand): Promise<EventMarkets>;
  async slug(slug: string, expand?: Expand): Promise<SingleEvent | TokenMarket | EventMarkets> {
    const wanted = parseParam(Slug, 'slug', slug);
    const { value, source, asOf } = await this.#answers.get(
      `slug:${wanted}`,
      { ttlMs: 5 * SECOND_MS },
      (deadline) => this.#records.bySlug(wanted, deadline),
    );
    if (expand === 'markets') {
      const markets = value.event === null ? [value.market] : marketRowsOf([value.event]);
      return { kind: 'eventMarkets', markets, source, asOf };
    }
    if (value.event !== null) return { kind: 'event', event: value.event, source, asOf };
    return { kind: 'market', market: value.market, source, asOf };
  }

  async token(token: string): Promise<TokenMarket> {
    const wanted = parseParam(Token, 'token', token);
    const { value, source, asOf } = await this.#answers.get(
      `token:${wanted}`,
      { ttlMs: 5 * SECOND_MS },
      async (deadline) => {
        const record = await this.#records.byToken(WireMarket, wanted, deadline);
        return {
          market: await this.#records.priced(record, deadline),
          outcomeIndex: outcomeIndexOf(record, wanted),
        };
      },
    );
    return { kind: 'market', ...value, source, asOf };
  }

  async raw(token: string): Promise<RawMarket> {
    const wanted = parseParam(Token, 'raw', token);
    const { value, source, asOf } = await this.#answers.get(
      `raw:${wanted}`,
      { ttlMs: 5 * SECOND_MS },
      (deadline) => this.#records.raw(wanted, deadline),
    );
    return { kind: 'rawMarket', record: value, source, asOf };
  }

  async book(token: string): Promise<Book> {
    const wanted = parseParam(Token, 'book', token);
    const { value, source, asOf } = await this.#answers.get(
      `book:${wanted}`,
      { ttlMs: SECOND_MS },
      async (deadline) => levelsOf(await this.#records.book(wanted, deadline)),
    );
    return { kind: 'book', token: wanted, ...value, source, asOf };
  }

  async history(token: string, interval: HistoryInterval): Promise<History> {
    const ref = parseParam(Token, 'ref', token);
    const span = parseParam(HistoryInterval, 'interval', interval);
    const { value, source, asOf } = await this.#answers.get(
      `history:${ref}:${span}`,
      { ttlMs: HISTORY_TTL_MS[span] },
      async (deadline) => {
        const market = await this.#records.byToken(WireLife, ref, deadline);
        const input = { token: ref, market, interval: span, nowMs: this.#clock.now() };
        return tokenPriceHistory(this.#clob, this.#answers, input, deadline);
      },
    );
    return { kind: 'history', ref, interval: span, points: value, source, asOf };
  }

  async *historyPages(
    series: HistorySeriesKey,
    span: HistoryRange,
    signal: AbortSignal,
  ): AsyncIterable<HistoryPage> {
    const token = parseParam(Token, 'tokenId', series.tokenId);
    using deadline = pageDeadline(signal);
    const market = await atPriority('background', () => this.#records.byToken(WireLife, token, deadline));
    yield* this.#past.pages({ ...series, market }, span, signal);
  }

  async instrument(tokenId: string): Promise<InstrumentInfo> {
    const { value } = await this.#answers.get(
      `instrument:${tokenId}`,
      { ttlMs: 5 * SECOND_MS, staleAllowed: false },
      async (deadline) => instrumentOf(tokenId, await this.#records.byToken(WireTerms, tokenId, deadline)),
    );
    return value;
  }

  async seriesMarkets(query: SeriesQuery): Promise<InstrumentInfo[] | null> {
    const series = parseParam(Slug, 'series', query.series);
    const { value } = await this.#answers.get(
      `markets of ${series}:${query.firstMs}:${query.lastMs}`,
      { ttlMs: 5 * SECOND_MS, staleAllowed: false },
      (deadline) =>
        atPriority('background', () =>
          listSeries({ gamma: this.#gamma, reader: this.#reader }, { ...query, series }, deadline),
        ),
    );
    return value;
  }

  async quotes(tokenIds: readonly string[]): Promise<Quote[]> {
    const [markets, books] = await Promise.all([
      this.#records.ofTokens(tokenIds),
      this.#records.booksOf(tokenIds),
    ]);
    return tokenIds.flatMap((tokenId) => {
      const market = markets.get(tokenId);
      const book = books.value.get(tokenId);
      // A trading market has a book: a missing one could not be parsed, and does not mean a market without offers.
      if (market === undefined || (book === undefined && statusOf(market) === 'open')) return [];
      return [quoteOf(tokenId, market, book, books.asOf)];
    });
  }

  async orderBook(tokenId: string): Promise<OrderBook> {
    const { value, asOf } = await this.#answers.get(
      `orderBook:${tokenId}`,
      { ttlMs: SECOND_MS, staleAllowed: false },
      (deadline) => this.#records.book(tokenId, deadline, 'trading'),
    );
    const trimLevel = ({ price, size }: BookLevel) => ({ price: trimmed(price), size: trimmed(size) });
    return { tokenId, ...levelsBestFirst(value.bids.map(trimLevel), value.asks.map(trimLevel)), asOf };
  }

  async #trendingEvents(pages: number, deadline: Deadline): Promise<MarketEvent[]> {
    const events: MarketEvent[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const answer = await this.#gamma.request('events/keyset', {
        schema: EventsPage,
        query: { ...BY_VOLUME, limit: EVENTS_PER_PAGE, after_cursor: cursor },
        deadline,
      });
      events.push(...this.#records.events(answer.events));
      if (!answer.next_cursor) break;
      cursor = answer.next_cursor;
    }
    return events;
  }
}

function levelsOf(book: WireBook): Omit<Book, 'kind' | 'token' | 'source' | 'asOf'> {
  const { bids, asks } = levelsBestFirst(book.bids, book.asks);
  const levelOf = ({ price, size }: BookLevel): Level => ({ price: toNumber(price), size: toNumber(size) });
  return {
    bids: bids.map(levelOf),
    asks: asks.map(levelOf),
    mid: midOf(book),
    tickSize: toNumber(book.tick_size),
    minSize: toNumberOrNull(book.min_order_size),
    lastPrice: toNumberOrNull(book.last_trade_price),
    negRisk: book.neg_risk,
  };
}

/** Events in full, or as at most `rows` rows of their open markets. */
function listed(
  kind: 'search' | 'trending',
  { value, source, asOf }: Answer<MarketEvent[]>,
  count: number,
  rows: number | null,
): EventRows | MarketRows {
  const events = value.slice(0, count);
  if (rows === null) return { kind, view: 'events', events, source, asOf };
  const open = marketRowsOf(events).filter(({ status }) => status === 'open' || status === 'paused');
  return { kind, view: 'markets', markets: open.slice(0, rows), source, asOf };
}

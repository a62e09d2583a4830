/** Crypto: Binance's public spot market data behind the port. */
import { LRUCache } from 'lru-cache';
import { Answers } from '../answers.ts';
import type { FeedClock } from '../clock.ts';
import { VenueError } from '../errors.ts';
import type { HistoryPage, HistoryRange, HistorySeriesKey, HistorySource } from '../history-source.ts';
import { ANSWER_DEADLINE_MS, type Deadline, deadlineIn } from '../http/deadline.ts';
import type { Upstream } from '../http/upstream.ts';
import { CandleCount, CandleInterval, CryptoCount, parseParam, SearchText } from '../params.ts';
import { isCandleOf, validCandles } from '../parse/candle-checks.ts';
import { trimmed } from '../parse/decimal.ts';
import { type ParsedRecords, RecordParser } from '../parse/record-parser.ts';
import type { ParseErrorLog } from '../parse-error-log.ts';
import type {
  Candle,
  CandleQuery,
  Coins,
  Crypto,
  InstrumentInfo,
  NewestCandle,
  OrderBook,
  Quote,
} from '../reads.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';
import { chunks, levelsBestFirst, type Trading } from '../trading.ts';
import type { Klines, Source, Summary, Symbols, Trades } from '../views.ts';
import { type CandleRange, ClosedCandles } from './candles.ts';
import { KlineHistory } from './history.ts';
import {
  barOf,
  candleOf,
  candleOfView,
  instrumentOf,
  klineOf,
  quoteOf,
  statusOf,
  summaryOf,
  symbolOf,
  tradeOf,
} from './normalize.ts';
import { refusalFor, SymbolDirectory } from './symbols.ts';
import { AggTradesAnswer, DepthAnswer, KlinesAnswer, TickersAnswer, WireQuote, WireTicker } from './wire.ts';

export type BinanceOptions = {
  api: Upstream;
  clock: FeedClock;
  source: Source;
  parseErrors: ParseErrorLog;
};

/** A request for up to 20 symbols weighs 2; a longer one weighs 40. */
const SYMBOLS_PER_CALL = 20;
const DEPTH_LEVELS = 100;
/** The largest count that a caller may request. The cache holds this many and serves fewer from it. */
const LISTED_MAX = 100;
const TICKER_TTL_MS = 2 * SECOND_MS;
/** The open candle is for display only. Indicators read closed candles from a different source. */
const KLINES_TTL_MS = 30 * SECOND_MS;

export class Binance implements Crypto, Coins, Trading, HistorySource {
  readonly #api: Upstream;
  readonly #answers: Answers;
  readonly #directory: SymbolDirectory;
  readonly #candles: ClosedCandles;
  readonly #reader: RecordParser;
  readonly #past: KlineHistory;
  /** Symbols that Binance does not know: one of them fails a whole batch. */
  readonly #unknown = new LRUCache<string, true>({ max: 1_000, ttl: MINUTE_MS });

  constructor({ api, clock, source, parseErrors }: BinanceOptions) {
    this.#api = api;
    this.#answers = new Answers(clock, source);
    this.#reader = new RecordParser('crypto', parseErrors);
    this.#past = new KlineHistory(api, clock, this.#reader);
    this.#directory = new SymbolDirectory(api, this.#answers, this.#reader);
    this.#candles = new ClosedCandles(async (symbol, interval, range, deadline) => {
      const klines = await this.#klines(symbol, interval, range, deadline);
      return klines.map(candleOf);
    }, clock);
  }

  async summary(symbol: string): Promise<Summary> {
    using whole = deadlineIn(ANSWER_DEADLINE_MS);
    const wanted = await this.#directory.resolve(symbol, whole);
    const { value, source, asOf } = await this.#answers.get(
      `ticker:${wanted}`,
      { ttlMs: TICKER_TTL_MS, deadlineMs: whole.remainingMs() },
      async (deadline) => {
        const ticker = await this.#api.request('api/v3/ticker/24hr', {
          schema: WireTicker,
          query: { symbol: wanted },
          deadline,
          refusal: refusalFor(wanted),
        });
        if (ticker.symbol !== wanted) throw VenueError.mismatched('crypto', wanted);
        return ticker;
      },
    );
    return { ...summaryOf(value), source, asOf };
  }

  async trades(symbol: string, limit: number): Promise<Trades> {
    const count = parseParam(CryptoCount, 'limit', limit);
    using whole = deadlineIn(ANSWER_DEADLINE_MS);
    const wanted = await this.#directory.resolve(symbol, whole);
    const { value, source, asOf } = await this.#answers.get(
      `trades:${wanted}`,
      { ttlMs: TICKER_TTL_MS, deadlineMs: whole.remainingMs() },
      async (deadline) => {
        const trades = await this.#api.request('api/v3/aggTrades', {
          schema: AggTradesAnswer,
          query: { symbol: wanted, limit: LISTED_MAX },
          deadline,
          refusal: refusalFor(wanted),
        });
        if (trades.length === 0) throw nothing('trades', wanted);
        return trades.sort((a, b) => a.a - b.a).map(tradeOf);
      },
    );
    return { kind: 'trades', symbol: wanted, trades: value.slice(-count), source, asOf };
  }

  async klines(symbol: string, interval: CandleInterval, limit: number): Promise<Klines> {
    const span = parseParam(CandleInterval, 'interval', interval);
    const count = parseParam(CryptoCount, 'limit', limit);
    using whole = deadlineIn(ANSWER_DEADLINE_MS);
    const wanted = await this.#directory.resolve(symbol, whole);
    const { value, source, asOf } = await this.#answers.get(
      `klines:${wanted}:${span}`,
      { ttlMs: KLINES_TTL_MS, deadlineMs: whole.remainingMs() },
      async (deadline) => (await this.#klines(wanted, span, { limit: LISTED_MAX }, deadline)).map(klineOf),
    );
    return { kind: 'klines', symbol: wanted, interval: span, klines: value.slice(-count), source, asOf };
  }

  async symbols(search: string | null, limit: number): Promise<Symbols> {
    const text = search === null ? '' : parseParam(SearchText, 'search', search);
    const count = parseParam(CryptoCount, 'limit', limit);
    const [list, ranking] = await Promise.all([this.#directory.list(), this.#directory.ranking()]);
    const wanted = text.toUpperCase().replaceAll(/[-/_\s]/g, '');
    const rankOf = ({ symbol }: { symbol: string }) => ranking.value[symbol] ?? 0;
    const found = list.value
      .filter(({ symbol }) => symbol.includes(wanted))
      .sort((a, b) => rankOf(b) - rankOf(a));
    const { source, asOf } = ranking.source === 'stale' ? ranking : list;
    return { kind: 'symbols', symbols: found.slice(0, count).map(symbolOf), source, asOf };
  }

  async instrument(tokenId: string): Promise<InstrumentInfo> {
    return instrumentOf(await this.#directory.rule(tokenId));
  }

  async quotes(tokenIds: readonly string[]): Promise<Quote[]> {
    const symbols = [...new Set(tokenIds)].filter((symbol) => !this.#unknown.has(symbol)).sort();
    using whole = deadlineIn(ANSWER_DEADLINE_MS);
    const batches = await Promise.all(
      chunks(symbols, SYMBOLS_PER_CALL).map((batch) => this.#quoted(batch, whole)),
    );
    const quotes = new Map(this.#reader.someOf(batches).map((quote) => [quote.tokenId, quote]));
    return tokenIds.flatMap((tokenId) => quotes.get(tokenId) ?? []);
  }

  async orderBook(tokenId: string): Promise<OrderBook> {
    const { value, asOf } = await this.#answers.get(
      `depth:${tokenId}`,
      { ttlMs: SECOND_MS, staleAllowed: false },
      (deadline) =>
        this.#api.request('api/v3/depth', {
          schema: DepthAnswer,
          query: { symbol: tokenId, limit: DEPTH_LEVELS },
          deadline,
          priority: 'trading',
          refusal: refusalFor(tokenId),
        }),
    );
    const levelOf = ([price, size]: readonly [string, string, ...unknown[]]) => ({
      price: trimmed(price),
      size: trimmed(size),
    });
    return { tokenId, ...levelsBestFirst(value.bids.map(levelOf), value.asks.map(levelOf)), asOf };
  }

  async closedCandles(symbol: string, interval: CandleInterval, query: CandleQuery): Promise<Candle[]> {
    const span = parseParam(CandleInterval, 'interval', interval);
    const limit = parseParam(CandleCount, 'limit', query.limit);
    using whole = deadlineIn(ANSWER_DEADLINE_MS);
    const wanted = await this.#directory.resolve(symbol, whole);
    return await this.#candles.get(wanted, span, { ...query, limit }, whole.remainingMs());
  }

  historyPages(
    series: HistorySeriesKey,
    span: HistoryRange,
    signal: AbortSignal,
  ): AsyncIterable<HistoryPage> {
    return this.#past.pages(series, span, signal);
  }

  async newestCandle(symbol: string, interval: CandleInterval): Promise<NewestCandle> {
    const { klines, asOf } = await this.klines(symbol, interval, 1);
    const kline = klines.at(-1);
    return { candle: kline === undefined ? null : candleOfView(kline), asOf };
  }

  /** Quotes of up to 20 symbols in one call. If the venue does not know one of them, requests each one alone. */
  async #quoted(symbols: readonly string[], whole: Deadline): Promise<ParsedRecords<Quote>> {
    try {
      const [rules, tickers] = await Promise.all([
        this.#directory.rules(symbols, whole.remainingMs()),
        this.#tickers(symbols, whole.remainingMs()),
      ]);
      const ruleOf = new Map(rules.value.read.map((rule) => [rule.symbol, rule]));
      const read = tickers.value.read.flatMap((ticker) => {
        const rule = ruleOf.get(ticker.symbol);
        return rule === undefined ? [] : [quoteOf(ticker, statusOf(rule), tickers.asOf)];
      });
      return { read, unread: rules.value.unread + tickers.value.unread };
    } catch (error) {
      if (!(error instanceof VenueError) || error.kind !== 'not_found') throw error;
      const [only] = symbols;
      if (symbols.length > 1) {
        const each = await Promise.all(symbols.map((symbol) => this.#quoted([symbol], whole)));
        const unread = each.reduce((count, one) => count + one.unread, 0);
        return { read: each.flatMap((one) => one.read), unread };
      }
      if (only !== undefined) this.#unknown.set(only, true);
      return { read: [], unread: 0 };
    }
  }

  #tickers(symbols: readonly string[], deadlineMs: number) {
    return this.#answers.get(
      `tickers:${symbols.join()}`,
      { ttlMs: SECOND_MS, staleAllowed: false, deadlineMs },
      async (deadline) => {
        const tickers = await this.#api.request('api/v3/ticker/24hr', {
          schema: TickersAnswer,
          query: { symbols: JSON.stringify(symbols) },
          deadline,
          priority: 'trading',
          refusal: refusalFor(symbols.join(', ')),
        });
        return this.#reader.all(WireQuote, tickers, 'symbol');
      },
    );
  }

  async #klines(symbol: string, interval: CandleInterval, range: CandleRange, deadline: Deadline) {
    const klines = await this.#api.request('api/v3/klines', {
      schema: KlinesAnswer,
      query: { symbol, interval, ...range },
      deadline,
      refusal: refusalFor(symbol),
    });
    const ordered = validCandles(klines, barOf, (bar) => isCandleOf(interval, bar));
    if (ordered === null) {
      throw VenueError.unavailable(`crypto sent candles of ${symbol} of unexpected shape`);
    }
    // A request for the latest candles of an existing symbol always has a result: an empty answer would be wrong.
    const { startTime, endTime } = range;
    if (ordered.length === 0 && startTime === undefined && endTime === undefined) {
      throw nothing('candles', symbol);
    }
    return ordered;
  }
}

const nothing = (what: string, symbol: string): VenueError =>
  VenueError.unavailable(`crypto has no ${what} of ${symbol} now`);

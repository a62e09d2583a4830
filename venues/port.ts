/**
 * The one port to the venues: what the three market-data endpoints answer, and what the feed, the brokers and the engine
 * need across venues by `tokenId`. Connectors and simulator stand behind it; nobody above sees a venue's wire format.
 *
 * Every method may throw a {@link VenueError}; none waits longer than one deadline of 3 s, whatever the venue does.
 */
import type { InstrumentKind, MarketStatus, Venue } from '../db/vocabulary.ts';
import type { VENUES } from './catalogue.ts';
import type { Priority } from './http/http.ts';
import type { PastPage, PastSeries, PastSpan } from './past.ts';
import type {
  Book,
  CandleInterval,
  EventMarkets,
  EventRows,
  History,
  HistoryInterval,
  Klines,
  Market,
  MarketList,
  MarketRows,
  RawMarket,
  SingleEvent,
  SingleMarket,
  Summary,
  Symbols,
  TokenMarket,
  TopMarkets,
  Trades,
} from './views.ts';

export type { InstrumentKind, MarketStatus, Venue } from '../db/vocabulary.ts';
export type { VenueOfKind } from './catalogue.ts';
export { isOfKind, kindOf, pastOf, pastTermsOf, VENUES, venueOf } from './catalogue.ts';
export type { VenueErrorKind } from './errors.ts';
export { VenueError } from './errors.ts';
export type { Priority } from './http/http.ts';
export type { PastPage, PastRow, PastSeries, PastSpan, PastTerms } from './past.ts';
export { KLINE_INTERVALS } from './past.ts';
export * from './views.ts';

/** Venue A (Kalshi). Tickers are upper-case letters, digits, dots and dashes, at most 100 characters. */
export type VenueA = {
  /** Open markets whose event matches the text, best match first. `limit` 1 to 50. */
  search(text: string, limit: number): Promise<MarketList>;
  /** The `count` (1 to 50) open markets with the largest 24-hour volume. */
  top(count: number): Promise<MarketList>;
  market(ticker: string): Promise<SingleMarket>;
  /** Prices of the yes side, ascending. */
  history(ticker: string, interval: HistoryInterval): Promise<History>;
};

/** Venue B (Polymarket). Tokens are decimal digits, at most 78; slugs are letters, digits, dots, underscores and dashes. */
export type VenueB = {
  search(text: string, limit: number): Promise<EventRows>;
  search(text: string, limit: number, expand: 'markets'): Promise<MarketRows>;
  /** An event by its slug, else a market by its slug. */
  slug(slug: string): Promise<SingleEvent | TokenMarket>;
  slug(slug: string, expand: 'markets'): Promise<EventMarkets>;
  token(token: string): Promise<TokenMarket>;
  /** The venue's own record of the token's market, untouched. */
  raw(token: string): Promise<RawMarket>;
  /** Levels of the token, best first. */
  book(token: string): Promise<Book>;
  /** The `count` (1 to 50) open events with the largest 24-hour volume, their markets grouped. */
  trending(count: number): Promise<EventRows>;
  trending(count: number, expand: 'markets'): Promise<MarketRows>;
  top(count: number): Promise<TopMarkets>;
  history(token: string, interval: HistoryInterval): Promise<History>;
};

/** Crypto (Binance spot). Reads accept `BTC`, `btc-usdt` and `BTC/USDT` for `BTCUSDT`; `limit` is 1 to 100. */
export type Crypto = {
  summary(symbol: string): Promise<Summary>;
  /** The latest trades, ascending in time. */
  trades(symbol: string, limit: number): Promise<Trades>;
  /** The latest candles, the open one included, ascending in time. */
  klines(symbol: string, interval: CandleInterval, limit: number): Promise<Klines>;
};

/**
 * How a venue charges. `probability`: rate × contracts × (price × (1 − price))^exponent, rounded up to `roundUpTo` USD
 * where given (venues A and B); `notional`: rate × price × quantity (crypto). Decimal strings.
 */
export type FeeSchedule = {
  formula: 'probability' | 'notional';
  takerRate: string;
  makerRate: string;
  exponent: number;
  roundUpTo: string | null;
};

/** Prices from `start` to `end` move in steps of `step`. Decimal strings. */
export type PriceRange = {
  start: string;
  end: string;
  step: string;
};

/** What trading one side of a market takes. Decimals are strings exactly as the venue means them. */
export type InstrumentInfo = {
  tokenId: string;
  venue: Venue;
  kind: InstrumentKind;
  /** The venue's name of the market: ticker, condition id or symbol. */
  market: string;
  /** The side: `yes` or `no` on venue A, the outcome's label on venue B, the base coin for crypto. */
  outcome: string;
  title: string;
  /** Which of several contracts of the venue settles it (venue B: `standard`, `neg_risk` or `v3`), where the venue says so. */
  contract?: string;
  /** A step on which every price is legal. Finer ones near 0 and 1: see `priceRanges` and `tickAt`. */
  tickSize: string;
  priceRanges: PriceRange[];
  /** Quantities are multiples of it. */
  stepSize: string;
  minSize: string;
  /** The least price × quantity the venue takes, where it has one. */
  minNotional: string | null;
  /** null: the venue names a fee this service does not know, so the instrument is data only. */
  feeSchedule: FeeSchedule | null;
  quoteCurrency: string;
  /** Quoted in USD, USDT or USDC, with a known fee and an order book. Others are data only. */
  tradable: boolean;
  closesAt: string | null;
  status: MarketStatus;
  /** What one unit pays, once the venue has said so; null until then, nothing is inferred. */
  settlementValue: string | null;
};

/** Best prices of one instrument. A side without offers is null. Never a stale answer. Decimal strings. */
export type Quote = {
  tokenId: string;
  bid: string | null;
  bidSize: string | null;
  ask: string | null;
  askSize: string | null;
  /** Set where the touch is crossed, locked or not shown: bid and ask are null then, which says nothing about the market. */
  touchUnknown?: true;
  last: string | null;
  /** Volume of the last 24 hours: contracts of the market on venue A, USD on venue B and crypto. null: not stated. */
  volume24h: string | null;
  /** Contracts of the market that are held, where the venue states it (venue A). */
  openInterest: string | null;
  /** Relative change of the price over 24 hours, where the venue states it (crypto): 0.05 is +5 %. */
  change24h: string | null;
  /** ISO 8601, the feed's clock at the time of the venue's answer. */
  asOf: string;
  marketStatus: MarketStatus;
  settlementValue: string | null;
};

export type BookLevel = {
  price: string;
  size: string;
};

/** All levels the venue shows, best first on both sides, never crossed. Never a stale answer. */
export type OrderBook = {
  tokenId: string;
  bids: BookLevel[];
  asks: BookLevel[];
  asOf: string;
};

/** A closed candle. Times in epoch ms, `closeTimeMs` inclusive (the last ms of the candle). */
export type Candle = {
  openTimeMs: number;
  closeTimeMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

export type CandleQuery = {
  /** 1 to 1,000. */
  limit: number;
  /** Epoch ms: only candles that closed at or before it; default the feed's clock. */
  endTime?: number;
};

/** The newest candle, usually one that is still forming; null where there is none. `asOf`: the feed's clock. */
export type NewestCandle = {
  candle: Candle | null;
  asOf: string;
};

/** What every venue of outcome markets answers. */
export type Markets = {
  /** Open markets that fit the words, best first; those traded most where there are none. `limit` 1 to 50. */
  find(words: string, limit: number): Promise<{ readonly markets: readonly Market[] }>;
};

/** What every venue of coins answers. */
export type Coins = Candles & {
  /** Trading symbols that contain the text, or all, the most traded first. */
  symbols(search: string | null, limit: number): Promise<Symbols>;
};

/** Candles of coins. */
export type Candles = {
  /** Closed candles only, ascending, without gaps in time where the venue has none; kept in memory per (symbol, interval). */
  closedCandles(symbol: string, interval: CandleInterval, query: CandleQuery): Promise<Candle[]>;
  /** May be half a minute old: a picture, nothing to decide by. */
  newestCandle(symbol: string, interval: CandleInterval): Promise<NewestCandle>;
};

/** What each venue answers in its own way. */
export type VenueReads = {
  'venue-a': VenueA;
  'venue-b': VenueB;
  crypto: Crypto;
};

/** What a venue can by what it lists. */
export type KindReads = {
  outcome: Markets;
  spot: Coins;
};

export type AtVenue<V extends Venue> = VenueReads[V] & KindReads[(typeof VENUES)[V]['kind']];

export type MarketData = Candles & {
  /** One venue, for what only it answers. What all of them do is asked below, by `tokenId`. */
  at<V extends Venue>(venue: V): AtVenue<V>;

  /** The feed's clock in epoch ms: real time when live, the simulated world's time otherwise. */
  now(): number;

  /** The instrument behind a `tokenId`, or null where no venue knows it (a malformed one included). */
  instrument(tokenId: string, options?: { priority?: Priority }): Promise<InstrumentInfo | null>;

  /**
   * Quotes of all given instruments in the fewest upstream calls, in the order asked. Instruments that their venue does
   * not know are left out; a venue in trouble is an error for the whole call, so ask for one venue at a time.
   */
  quotes(tokenIds: readonly string[]): Promise<Quote[]>;

  orderBook(tokenId: string): Promise<OrderBook>;

  /** {@link Past.past} of the venue that lists the instrument. */
  history(series: PastSeries, span: PastSpan, signal: AbortSignal): AsyncIterable<PastPage>;
};

/** The step in which prices around `price` move: of the range that holds it, else the coarsest. Pure. */
export function tickAt(
  { priceRanges, tickSize }: Pick<InstrumentInfo, 'priceRanges' | 'tickSize'>,
  price: string,
): string {
  const value = Number(price);
  const range = priceRanges.find(({ start, end }) => value >= Number(start) && value < Number(end));
  return range?.step ?? tickSize;
}

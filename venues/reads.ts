/** Methods of each venue, and the records that they return: quotes, books, candles, terms of instruments. */
import type { Venue } from './catalogue.ts';
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
import type { InstrumentKind, MarketStatus } from './vocabulary.ts';

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
  /** The venue's own record of the token's market, unchanged. */
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
 * A venue's fees. `probability`: rate × contracts × (price × (1 − price))^exponent, rounded up to `roundUpTo` USD where given
 * (venues A and B). `notional`: rate × price × quantity (crypto). Decimal strings.
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

/** The trading terms of one side of a market. Decimals are strings exactly as the venue means them. */
export type InstrumentInfo = {
  tokenId: string;
  venue: Venue;
  kind: InstrumentKind;
  /** The venue's name of the market: ticker, condition id or symbol. */
  market: string;
  /** The venue's series of markets it belongs to: the series' ticker on venue A, its slug on venue B; null for none. */
  series: string | null;
  /** The side: `yes` or `no` on venue A, the outcome's label on venue B, the base coin for crypto. */
  outcome: string;
  title: string;
  /** Which of several contracts of the venue settles it (venue B: `standard`, `neg_risk` or `v3`), if the venue states it. */
  contract?: string;
  /** A step on which every price is legal. Finer ones near 0 and 1: see `priceRanges` and `tickAt`. */
  tickSize: string;
  priceRanges: PriceRange[];
  /** Quantities are multiples of it. */
  stepSize: string;
  minSize: string;
  /** The smallest price × quantity that the venue accepts, if it has one. */
  minNotional: string | null;
  /** null: the venue states a fee that this service does not know, so the instrument is data only. */
  feeSchedule: FeeSchedule | null;
  quoteCurrency: string;
  /** Quoted in USD, USDT or USDC, with a known fee and an order book. Others are data only. */
  tradable: boolean;
  /** When its market opened for trading, or will; null if the venue does not state it. */
  opensAt: string | null;
  closesAt: string | null;
  status: MarketStatus;
  /** The payout of one unit, once the venue has stated it; null until then, nothing is inferred. */
  settlementValue: string | null;
};

/** Best prices of one instrument. A side without offers is null. Never a stale answer. Decimal strings. */
export type Quote = {
  tokenId: string;
  bid: string | null;
  bidSize: string | null;
  ask: string | null;
  askSize: string | null;
  /**
   * Set if the top of book is crossed, locked or not visible. Then bid and ask are null, which is no statement about the
   * market.
   */
  topOfBookUnknown?: true;
  last: string | null;
  /** Volume of the last 24 hours: contracts of the market on venue A, USD on venue B and crypto. null: not stated. */
  volume24h: string | null;
  /** Open contracts of the market, if the venue states them (venue A). */
  openInterest: string | null;
  /** Relative change of the price over 24 hours, if the venue states it (crypto): 0.05 is +5 %. */
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

/** The newest candle, usually one that is still forming; null if there is none. `asOf`: the feed's clock. */
export type NewestCandle = {
  candle: Candle | null;
  asOf: string;
};

/** The markets of a series that were open at any time from the first instant to the last, both included. Epoch ms. */
export type SeriesQuery = {
  readonly series: string;
  readonly firstMs: number;
  readonly lastMs: number;
};

/** Methods that every venue of outcome markets has. */
export type Markets = {
  /** Open markets that match the words, best first; the most traded ones if there are none. `limit` 1 to 50. */
  find(words: string, limit: number): Promise<{ readonly markets: readonly Market[] }>;
  /**
   * Both sides of every market of a series that was open in a span, as listed now: closed and settled ones too. Some that were
   * not may be among them. Null if the venue does not list all of that span.
   */
  seriesMarkets(query: SeriesQuery): Promise<InstrumentInfo[] | null>;
};

/** Methods that every venue of coins has. */
export type Coins = Candles & {
  /** Trading symbols that contain the text, or all, the most traded first. */
  symbols(search: string | null, limit: number): Promise<Symbols>;
};

/** Candles of coins. */
export type Candles = {
  /**
   * Closed candles only, ascending, without gaps in time unless the venue has some; cached in memory per (symbol, interval).
   */
  closedCandles(symbol: string, interval: CandleInterval, query: CandleQuery): Promise<Candle[]>;
  /** May be half a minute old: for display, not for decisions. */
  newestCandle(symbol: string, interval: CandleInterval): Promise<NewestCandle>;
};

/** The price step around `price`: of the range that contains it, else the coarsest. Pure. */
export function tickAt(
  { priceRanges, tickSize }: Pick<InstrumentInfo, 'priceRanges' | 'tickSize'>,
  price: string,
): string {
  const value = Number(price);
  const range = priceRanges.find(({ start, end }) => value >= Number(start) && value < Number(end));
  return range?.step ?? tickSize;
}

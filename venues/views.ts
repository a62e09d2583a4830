/**
 * The normalized shapes of the three market-data endpoints, stated once: zod schemas for documents and validation, types
 * inferred from them. Numbers are exact parses of the venue's decimal strings (at most 15 significant digits). A value that a
 * venue did not state is null, never 0 or a guess. Times are ISO 8601 in UTC.
 */
import { z } from 'zod';
import { venuesOfKind } from './catalogue.ts';
import { MARKET_STATUSES } from './vocabulary.ts';

/** `live`: from the venue; `simulator`: from the simulated world; `stale`: the last good answer, under five minutes old. */
export const Source = z.enum(['live', 'simulator', 'stale']);
export type Source = z.infer<typeof Source>;

const provenance = { source: Source, asOf: z.iso.datetime() };
/** The origin of every answer, and the time at which the venue gave it (the feed's clock). */
export type Provenance = {
  source: Source;
  asOf: string;
};

const Dec = z.number();
const Probability = z.number().min(0).max(1);
const Time = z.iso.datetime();

export const HISTORY_INTERVALS = ['1d', '1w', '1m', 'all'] as const;
export const HistoryInterval = z.enum(HISTORY_INTERVALS);
export type HistoryInterval = z.infer<typeof HistoryInterval>;

/** Candle lengths, in the venue's own case-sensitive words: `1m` is a minute, `1M` a calendar month. */
export const CANDLE_INTERVALS = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const;
export const CandleInterval = z.enum(CANDLE_INTERVALS);
export type CandleInterval = z.infer<typeof CandleInterval>;

/** Lists also show markets that have not opened yet. */
export const ListingStatus = z.enum(['unopened', ...MARKET_STATUSES]);
export type ListingStatus = z.infer<typeof ListingStatus>;

/**
 * A venue's fees. `probability`: rate × contracts × (price × (1 − price))^exponent, rounded up to `roundUpTo` USD where given.
 * `notional`: rate × price × quantity. Takers hit resting offers, makers rest in the book.
 */
export const Fees = z.object({
  formula: z.enum(['probability', 'notional']),
  takerRate: Dec,
  makerRate: Dec,
  exponent: Dec,
  roundUpTo: Dec.nullable(),
});
export type Fees = z.infer<typeof Fees>;

const Sources = z.array(z.object({ name: z.string().nullable(), url: z.url().nullable() }));

/** Prices from `start` to `end` move in steps of `step`. */
const TickLadder = z.array(z.object({ start: Dec, end: Dec, step: Dec }));

/**
 * A venue's payments for resting offers: of at least `minSize`, within `maxSpread` (USD) of the middle. `dailyRate` is in USD a
 * day in all.
 */
const Rewards = z.object({ minSize: Dec.nullable(), maxSpread: Dec.nullable(), dailyRate: Dec.nullable() });

/** The value that the outcome is measured against: `type` is the venue's word (`greater`, `between`, …). */
const Strike = z.object({ type: z.string().nullable(), floor: Dec.nullable(), cap: Dec.nullable() });

/** One side of a market. Orders and close take its `tokenId`; prices are 0 to 1. */
export const Outcome = z.object({
  label: z.string(),
  tokenId: z.string().nullable(),
  price: Probability.nullable(),
  bid: Probability.nullable(),
  ask: Probability.nullable(),
  /** The sizes at the best prices, if the venue's answer states them. */
  bidSize: Dec.nullable(),
  askSize: Dec.nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

/** A binary market. `ref=` takes its `ref`: the ticker on venue A, the first outcome's token id on venue B. */
export const Market = z
  .object({
    venue: z.enum(venuesOfKind('outcome')),
    id: z.string(),
    ref: z.string(),
    ticker: z.string().nullable(),
    slug: z.string().nullable(),
    conditionId: z.string().nullable(),
    event: z.object({ id: z.string(), slug: z.string().nullable(), title: z.string() }).nullable(),
    title: z.string(),
    label: z.string().nullable(),
    status: ListingStatus,
    result: z.enum(['yes', 'no', 'scalar']).nullable(),
    outcomes: z.array(Outcome),
    lastPrice: Probability.nullable(),
    change24h: Dec.nullable(),
    volume: Dec.nullable(),
    volume24h: Dec.nullable(),
    liquidity: Dec.nullable(),
    openInterest: Dec.nullable(),
    tickSize: Dec.nullable(),
    minSize: Dec.nullable(),
    closesAt: Time.nullable(),
    updatedAt: Time.nullable(),
    /** In lists null: the market itself has them. */
    rules: z.string().nullable(),
    resolutionSources: Sources,
    /** On venue A, only for a market requested by its ticker. Also null if the venue states an unknown formula. */
    fees: Fees.nullable(),
    /** One of a group with a single winner: a No can be converted to Yes of all others (venue B). */
    negRisk: z.boolean().nullable(),
    opensAt: Time.nullable(),
    /** Start of the event that the market is about. */
    startsAt: Time.nullable(),
    canCloseEarly: z.boolean().nullable(),
    expectedExpirationAt: Time.nullable(),
    latestExpirationAt: Time.nullable(),
    strike: Strike.nullable(),
    /** Best ask minus best bid of the first outcome. */
    spread: Dec.nullable(),
    rewards: Rewards.nullable(),
    change1h: Dec.nullable(),
    change1w: Dec.nullable(),
    category: z.string().nullable(),
    tags: z.array(z.string()),
    /** An https address at the venue's own host, not fetched by this service. */
    image: z.url().nullable(),
    /** All steps; `tickSize` is the one at the present price. */
    tickLadder: TickLadder,
  })
  .meta({ id: 'Market' });
export type Market = z.infer<typeof Market>;

/** A group of markets about one question; `mutuallyExclusive` where at most one can resolve to yes. */
export const MarketEvent = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  grouped: z.boolean(),
  mutuallyExclusive: z.boolean(),
  volume: Dec.nullable(),
  volume24h: Dec.nullable(),
  liquidity: Dec.nullable(),
  endsAt: Time.nullable(),
  openInterest: Dec.nullable(),
  /** In lists null: the event itself has them. */
  rules: z.string().nullable(),
  resolutionSources: Sources,
  negRisk: z.boolean().nullable(),
  opensAt: Time.nullable(),
  startsAt: Time.nullable(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  image: z.url().nullable(),
  markets: z.array(Market),
});
export type MarketEvent = z.infer<typeof MarketEvent>;

/** A price at a time; open, high, low and volume if the venue gives candles. Ascending, one per time. */
export const Point = z.object({
  t: Time,
  p: Probability,
  o: Probability.optional(),
  h: Probability.optional(),
  l: Probability.optional(),
  v: Dec.optional(),
});
export type Point = z.infer<typeof Point>;

export const Level = z.object({ price: Probability, size: Dec });
export type Level = z.infer<typeof Level>;

const History = z.object({
  kind: z.literal('history'),
  ref: z.string(),
  interval: HistoryInterval,
  points: z.array(Point),
  ...provenance,
});
export type History = z.infer<typeof History>;

const MarketList = z.object({ kind: z.enum(['search', 'top']), markets: z.array(Market), ...provenance });
export type MarketList = z.infer<typeof MarketList>;

const SingleMarket = z.object({ kind: z.literal('market'), market: Market, ...provenance });
export type SingleMarket = z.infer<typeof SingleMarket>;

export const VenueAView = z.discriminatedUnion('kind', [MarketList, SingleMarket, History]);
export type VenueAView = z.infer<typeof VenueAView>;

const EventRows = z.object({
  kind: z.enum(['search', 'trending']),
  view: z.literal('events'),
  events: z.array(MarketEvent),
  ...provenance,
});
export type EventRows = z.infer<typeof EventRows>;

const MarketRows = z.object({
  kind: z.enum(['search', 'trending']),
  view: z.literal('markets'),
  markets: z.array(Market),
  ...provenance,
});
export type MarketRows = z.infer<typeof MarketRows>;

const TopMarkets = z.object({ kind: z.literal('top'), markets: z.array(Market), ...provenance });
export type TopMarkets = z.infer<typeof TopMarkets>;

const SingleEvent = z.object({ kind: z.literal('event'), event: MarketEvent, ...provenance });
export type SingleEvent = z.infer<typeof SingleEvent>;

const EventMarkets = z.object({ kind: z.literal('eventMarkets'), markets: z.array(Market), ...provenance });
export type EventMarkets = z.infer<typeof EventMarkets>;

const TokenMarket = z.object({
  kind: z.literal('market'),
  market: Market,
  outcomeIndex: z.union([z.literal(0), z.literal(1)]).optional(),
  ...provenance,
});
export type TokenMarket = z.infer<typeof TokenMarket>;

const RawMarket = z.object({
  kind: z.literal('rawMarket'),
  record: z.record(z.string(), z.unknown()),
  ...provenance,
});
export type RawMarket = z.infer<typeof RawMarket>;

const Book = z.object({
  kind: z.literal('book'),
  token: z.string(),
  bids: z.array(Level),
  asks: z.array(Level),
  mid: Probability.nullable(),
  tickSize: Dec,
  minSize: Dec.nullable(),
  lastPrice: Probability.nullable(),
  negRisk: z.boolean().nullable(),
  ...provenance,
});
export type Book = z.infer<typeof Book>;

export const VenueBView = z.union([
  EventRows,
  MarketRows,
  TopMarkets,
  SingleEvent,
  EventMarkets,
  TokenMarket,
  RawMarket,
  Book,
  History,
]);
export type VenueBView = z.infer<typeof VenueBView>;

const Summary = z.object({
  kind: z.literal('summary'),
  symbol: z.string(),
  price: Dec,
  change: Dec,
  changePct: Dec,
  high: Dec,
  low: Dec,
  volume: Dec,
  quoteVolume: Dec,
  bid: Dec.nullable(),
  ask: Dec.nullable(),
  bidSize: Dec.nullable(),
  askSize: Dec.nullable(),
  fees: Fees,
  ...provenance,
});
export type Summary = z.infer<typeof Summary>;

const Trades = z.object({
  kind: z.literal('trades'),
  symbol: z.string(),
  trades: z.array(z.object({ id: z.string(), price: Dec, qty: Dec, side: z.enum(['buy', 'sell']), t: Time })),
  ...provenance,
});
export type Trades = z.infer<typeof Trades>;

const Klines = z.object({
  kind: z.literal('klines'),
  symbol: z.string(),
  interval: CandleInterval,
  klines: z.array(
    z.object({
      t: Time,
      o: Dec,
      h: Dec,
      l: Dec,
      c: Dec,
      v: Dec,
      quoteVolume: Dec,
      trades: z.int(),
      closesAt: Time,
    }),
  ),
  ...provenance,
});
export type Klines = z.infer<typeof Klines>;

const Symbols = z.object({
  kind: z.literal('symbols'),
  symbols: z.array(
    z.object({
      symbol: z.string(),
      base: z.string(),
      quote: z.string(),
      status: z.string(),
      tickSize: Dec,
      stepSize: Dec,
      minSize: Dec,
      minNotional: Dec.nullable(),
    }),
  ),
  ...provenance,
});
export type Symbols = z.infer<typeof Symbols>;

export const CryptoView = z.discriminatedUnion('kind', [Summary, Trades, Klines, Symbols]);
export type CryptoView = z.infer<typeof CryptoView>;

/** Vocabulary of stored rows and of venues. The database and `venues` both build on it. */
export type { Json } from './json.ts';

/** Every venue, in the order of lists. Its other facts are in `venues/catalogue.ts`. */
export const VENUE_IDS = ['venue-a', 'venue-b', 'crypto'] as const;
export type Venue = (typeof VENUE_IDS)[number];

/**
 * Kinds of instrument. `outcome`: one side of a question, priced between 0 and 1 and paid out at its end. `spot`: a coin, at
 * any price above 0.
 */
export const INSTRUMENT_KINDS = ['outcome', 'spot'] as const;
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];

/** `candle`: trades. `bid_ask`: the quotes of both sides of the book. `midpoint`: one price between them. */
export const SERIES_KINDS = ['candle', 'bid_ask', 'midpoint'] as const;
export type SeriesKind = (typeof SERIES_KINDS)[number];

/** A backtest, a sweep or an import of history. Rows of an import stay, however it ended. */
export const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const MARKET_STATUSES = ['open', 'paused', 'closed', 'settled'] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** Modes of trading. Part of the key of everything that counts money, so that paper and live never mix. */
export const MODES = ['paper', 'live'] as const;
export type Mode = (typeof MODES)[number];

/** Makes one value for each mode. */
export const byMode = <Value>(make: (mode: Mode) => Value): Readonly<Record<Mode, Value>> =>
  Object.fromEntries(MODES.map((mode) => [mode, make(mode)])) as Record<Mode, Value>;

/** Limits of optional rules, in the order of a receipt. `engine/risk/rules/optional.ts` has the rules. */
export const OPTIONAL_LIMITS = [
  'maxPositionSize',
  'maxVenueExposure',
  'maxGrossExposure',
  'maxBlueprintBudget',
  'maxDrawdown',
] as const;

export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

/** `gtc` rests until it is filled or canceled. `ioc` takes the available size and ends, `fok` fills whole or not at all. */
export const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** Whether a trade took a resting order, or rested and was taken. */
export const LIQUIDITIES = ['taker', 'maker'] as const;
export type Liquidity = (typeof LIQUIDITIES)[number];

/** The environment of a venue that a connection trades in: its practice ones, or the one with real money. */
export const ENVIRONMENTS = ['demo', 'testnet', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/**
 * The permissions of a connection to a venue account. `ready`: all. `reduce_only`: no entries. `halted`: cancels only.
 * `unverified`: its checks have not passed. `expired` and `revoked`: it has no credentials that the venue accepts.
 */
export const CONNECTION_STATES = [
  'unverified',
  'ready',
  'reduce_only',
  'halted',
  'expired',
  'revoked',
] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/**
 * How an account at a venue and its books can differ:
 * - `in_flight` and `lag` disappear on their own.
 * - `external_order` and `external_fill` were not placed by this service.
 * - `transfer` is money from or to outside.
 * - `fee` is another fee than the booked one.
 * - `unredeemed` is a won settlement that is not paid out yet.
 * - `netting` is both sides of a question paid out against each other.
 */
export const DIFFERENCE_KINDS = [
  'in_flight',
  'lag',
  'external_order',
  'external_fill',
  'transfer',
  'fee',
  'unredeemed',
  'netting',
  'unexplained',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** `gone`: it no longer exists. `booked`: the books were moved to match the venue. `explained`: it stays, and is known. */
export const DIFFERENCE_STATES = ['open', 'gone', 'booked', 'explained'] as const;

/** Subjects whose details in the audit trail may name a person: erasure takes them. */
export const NAMING_SUBJECTS = [
  'api_key',
  'blueprint',
  'notify',
  'password',
  'session',
  'user',
  'venue_connection',
] as const;

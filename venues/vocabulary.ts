/** Vocabulary of venues. The database builds on it. */

/** Any JSON value, as columns hold it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Kinds of instrument. `outcome`: one side of a question, priced between 0 and 1 and paid out at its end. `spot`: a coin, at
 * any price above 0.
 */
export const INSTRUMENT_KINDS = ['outcome', 'spot'] as const;
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];

/** `candle`: trades. `bid_ask`: the quotes of both sides of the book. `midpoint`: one price between them. */
export const SERIES_KINDS = ['candle', 'bid_ask', 'midpoint'] as const;
export type SeriesKind = (typeof SERIES_KINDS)[number];

export const MARKET_STATUSES = ['open', 'paused', 'closed', 'settled'] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** Modes of trading. Part of the key of everything that counts money, so that paper and live never mix. */
export const MODES = ['paper', 'live'] as const;
export type Mode = (typeof MODES)[number];

export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

/**
 * `gtc` rests until it is filled or canceled. `gtx` does too, and is refused if any of it would fill at once (post-only). `ioc`
 * takes the available size and ends, `fok` fills whole or not at all.
 */
export const TIMES_IN_FORCE = ['gtc', 'gtx', 'ioc', 'fok'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** Whether what does not fill at once stays in the book. */
export const mayRest = (timeInForce: TimeInForce): boolean => timeInForce === 'gtc' || timeInForce === 'gtx';

/** Whether a trade took a resting order, or rested and was taken. */
export const LIQUIDITIES = ['taker', 'maker'] as const;
export type Liquidity = (typeof LIQUIDITIES)[number];

/** The environment of a venue that a connection trades in: its practice ones, or the one with real money. */
export const ENVIRONMENTS = ['demo', 'testnet', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

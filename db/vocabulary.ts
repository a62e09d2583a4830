/** Words in which rows are written and venues are told apart. Imports nothing: the database and `venues` both build on it. */

/** Every venue, in the order in which lists show them. What else there is to know of one is in `venues/catalogue.ts`. */
export const VENUE_IDS = ['venue-a', 'venue-b', 'crypto'] as const;
export type Venue = (typeof VENUE_IDS)[number];

/**
 * What is traded. `outcome`: one side of a question, priced between 0 and 1 and paid out at its end. `spot`: a coin, at any
 * price above 0.
 */
export const INSTRUMENT_KINDS = ['outcome', 'spot'] as const;
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];

export const MARKET_STATUSES = ['open', 'paused', 'closed', 'settled'] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { INSTRUMENT_KINDS, MARKET_STATUSES, VENUE_IDS } from '../vocabulary.ts';

/** An instrument: one row per `tokenId`, filled when it is first used, shared by all accounts. */
export const Instrument = defineEntity({
  name: 'Instrument',
  properties: {
    /** `TICKER:yes`, a venue B token id, or `BTCUSDT`. */
    tokenId: p.string().length(200).primary(),
    venue: p.enum(VENUE_IDS),
    /** Decides its pricing, its slippage and its matching on paper. */
    kind: p.enum(INSTRUMENT_KINDS),
    /** The venue's market this is an outcome of. */
    market: p.string().length(200),
    /** The venue's series of markets this is one of; null if it states none, or was not asked since this column exists. */
    series: p.string().length(200).nullable(),
    outcome: p.string().length(120).nullable(),
    /** The venue's contract that settles it, if the venue has several: an order there is signed for it. */
    contract: p.string().length(40).nullable(),
    title: p.string().length(400),
    /** The coarsest step: where `priceRanges` is empty, prices are its multiples. */
    tickSize: decimal(),
    /** The ladder of prices: `[{start, end, step}]`, ascending. */
    priceRanges: p.json<Json>().default('[]'),
    stepSize: decimal(),
    minSize: decimal(),
    minNotional: decimal(),
    /** The fees of the venue: read by the paper broker. */
    feeSchedule: p.json<Json>(),
    quoteCurrency: p.string().length(16),
    /** Quoted in USD, USDT or USDC, with a fee we know and an order book. Others are data only. */
    tradable: p.boolean(),
    /** When its market opened for trading, as its venue states; null if it does not. */
    opensAt: moment().nullable(),
    closesAt: moment().nullable(),
    status: p.enum(MARKET_STATUSES),
    settlementValue: decimal().nullable(),
    /** When its venue last stated its terms; null if they were not read since this column exists. */
    termsAt: moment().nullable(),
    /** The time since which its venue reports that there is no such instrument. */
    delistedAt: moment().nullable(),
    updatedAt: moment(),
  },
  indexes: [{ properties: ['venue', 'series'] }],
});

/**
 * A span in which every market of a series is known: each one that was open at any time of it has its instruments. Spans of
 * one series do not overlap. Times are the feed's.
 */
export const SeriesCoverage = defineEntity({
  name: 'SeriesCoverage',
  properties: {
    venue: p.enum(VENUE_IDS).primary(),
    series: p.string().length(200).primary(),
    fromAt: moment().primary(),
    untilAt: moment(),
  },
});

/** The last known quote, one row per instrument in use, written by the feed only. */
export const Quote = defineEntity({
  name: 'Quote',
  properties: {
    tokenId: p.string().length(200).primary(),
    bid: decimal().nullable(),
    bidSize: decimal().nullable(),
    ask: decimal().nullable(),
    askSize: decimal().nullable(),
    last: decimal().nullable(),
    /** In the unit the venue counts in: contracts on venue A, USD elsewhere. */
    volume24h: decimal().nullable(),
    openInterest: decimal().nullable(),
    /** A fraction: 0.05 is +5 %. */
    change24h: decimal().nullable(),
    marketStatus: p.enum(MARKET_STATUSES),
    asOf: moment(),
    /** False: crossed, locked or not visible. Then bid and ask are null, and prove nothing about the bids. */
    touchKnown: p.boolean().default(true),
    /**
     * USD. The value of one unit: the best bid; 0 once an open market has had no bid for 10 s. Nothing is inferred from a
     * market that is not open or whose top of book is unknown: the last known bid stays. Maintained by a trigger.
     */
    markPrice: decimal().nullable(),
    /** The time of the mark: that of the last quote that supports it. */
    markAt: moment().nullable(),
    /** The time of the newest quote that the mark has considered. */
    seenAt: moment().nullable(),
    /** The time since which an open market has no bid; null while it has one or is not visible. */
    noBidSince: moment().nullable(),
    /** When the mark last fell to 0, and its value before; null once there is a bid again. */
    markFellAt: moment().nullable(),
    markBeforeFall: decimal().nullable(),
    /** Rises with every change: readers fetch rows newer than their own. */
    seq: p.bigint('string'),
  },
});

export const PRICE_SOURCES = ['simulator', 'live'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** The source of the feed's prices from this moment on. Append-only: earlier trades used the earlier source. */
export const PricePeriod = defineEntity({
  name: 'PricePeriod',
  properties: {
    since: moment().primary(),
    source: p.enum(PRICE_SOURCES),
  },
});

/**
 * The feed's quotes of an instrument, in columns: a minute at a time, and ended hours merged. They belong to no account:
 * quotes are shared by all.
 */
export const QuoteChunk = defineEntity({
  name: 'QuoteChunk',
  properties: {
    tokenId: p.string().length(200).primary(),
    fromAt: moment().primary(),
    untilAt: moment(),
    quotes: p.integer(),
    sizeBytes: p.integer(),
    /** Its hour is over, and the chunk is complete. */
    isSealed: p.boolean(),
    /** In the archive: SHA-256 of the file that has the body, where it begins there, and its own SHA-256; else null. */
    archivedDigest: p.string().length(64).nullable(),
    archivedOffset: p.integer().nullable(),
    bodyDigest: p.string().length(64).nullable(),
    /** Null where it is in the archive. */
    body: p.blob().nullable(),
  },
});

/** A venue's statement about an instrument from an instant on. Append-only, maintained by a trigger of `instrument`. */
export const InstrumentFact = defineEntity({
  name: 'InstrumentFact',
  properties: {
    tokenId: p.string().length(200).primary(),
    at: moment().primary(),
    /** The row after the change, without the time of the check. */
    facts: p.json<Json>(),
  },
});

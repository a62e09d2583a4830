import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { INSTRUMENT_KINDS, MARKET_STATUSES, VENUE_IDS } from '../vocabulary.ts';

/** What can be traded: one row per `tokenId`, filled when it is first used, shared by all accounts. */
export const Instrument = defineEntity({
  name: 'Instrument',
  tableName: 'instrument',
  properties: {
    /** `TICKER:yes`, a venue B token id, or `BTCUSDT`. */
    tokenId: p.string().length(200).primary(),
    venue: p.enum(VENUE_IDS),
    /** What its price, its slippage and its matching on paper hang on. */
    kind: p.enum(INSTRUMENT_KINDS),
    /** The venue's market this is an outcome of. */
    market: p.string().length(200),
    outcome: p.string().length(120).nullable(),
    /** Which of the venue's contracts settles it, where it has several: what an order there is signed for. */
    contract: p.string().length(40).nullable(),
    title: p.string().length(400),
    /** The coarsest step: where `priceRanges` is empty, prices are its multiples. */
    tickSize: decimal(),
    /** The ladder of prices: `[{start, end, step}]`, ascending. */
    priceRanges: p.json<Json>().default('[]'),
    stepSize: decimal(),
    minSize: decimal(),
    minNotional: decimal(),
    /** How the venue charges: read by the paper broker. */
    feeSchedule: p.json<Json>(),
    quoteCurrency: p.string().length(16),
    /** Quoted in USD, USDT or USDC, with a fee we know and an order book. Others are data only. */
    tradable: p.boolean(),
    closesAt: moment().nullable(),
    status: p.enum(MARKET_STATUSES),
    settlementValue: decimal().nullable(),
    /** When its venue last stated its terms; null where nobody asked since they are dated. */
    termsAt: moment().nullable(),
    /** Since when its venue says that there is no such instrument. */
    delistedAt: moment().nullable(),
    updatedAt: moment(),
  },
});

/** The last known quote, one row per instrument in use, written by the feed only. */
export const Quote = defineEntity({
  name: 'Quote',
  tableName: 'quote',
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
    /** False: crossed, locked or not shown. Then bid and ask are null, and that says nothing about what is bid. */
    touchKnown: p.boolean().default(true),
    /**
     * USD. What one unit is worth to us: the best bid; 0 once an open market has bid nothing for 10 s; the last bid seen
     * while the market is not open or its touch is unknown, because nothing is inferred. Kept by a trigger.
     */
    markPrice: decimal().nullable(),
    /** As of when the mark is so: the last quote that said it. */
    markAt: moment().nullable(),
    /** As of when the newest quote was that the mark took note of. */
    seenAt: moment().nullable(),
    /** Since when an open market bids nothing; null while it bids or cannot be seen. */
    noBidSince: moment().nullable(),
    /** When the mark last fell to 0, and from what; null once there is a bid again. */
    markFellAt: moment().nullable(),
    markBeforeFall: decimal().nullable(),
    /** Rises with every change: readers fetch what is newer than what they have. */
    seq: p.bigint('string'),
  },
});

export const PRICE_SOURCES = ['simulator', 'live'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** Whose prices the feed takes from this moment on. Append-only: what was traded before was traded on those before. */
export const PricePeriod = defineEntity({
  name: 'PricePeriod',
  tableName: 'price_period',
  properties: {
    since: moment().primary(),
    source: p.enum(PRICE_SOURCES),
  },
});

/**
 * What the feed saw of an instrument, in columns: a minute at a time, and hours that are over put together. Of nobody's
 * account: quotes are everybody's.
 */
export const QuoteChunk = defineEntity({
  name: 'QuoteChunk',
  tableName: 'quote_chunk',
  properties: {
    tokenId: p.string().length(200).primary(),
    fromAt: moment().primary(),
    untilAt: moment(),
    quotes: p.integer(),
    sizeBytes: p.integer(),
    /** Its hour is over, and this is all there is of it. */
    isSealed: p.boolean(),
    body: p.blob(),
  },
});

/** What a venue said of an instrument from an instant on. Append-only, kept by a trigger of `instrument`. */
export const InstrumentFact = defineEntity({
  name: 'InstrumentFact',
  tableName: 'instrument_fact',
  properties: {
    tokenId: p.string().length(200).primary(),
    at: moment().primary(),
    /** The row as it became, without when it was looked at. */
    facts: p.json<Json>(),
  },
});

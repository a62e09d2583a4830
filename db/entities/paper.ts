import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import { LIQUIDITIES, SIDES, TIMES_IN_FORCE, VENUE_IDS } from '../vocabulary.ts';

export const PAPER_STATUSES = ['open', 'filled', 'canceled', 'rejected'] as const;
export type PaperStatus = (typeof PAPER_STATUSES)[number];

/** An order in the paper venue's own record, which only its broker reads and writes. */
export const PaperOrder = defineEntity({
  name: 'PaperOrder',
  properties: {
    accountId: p.uuid().primary(),
    /** The client order id. */
    id: p.uuid().primary(),
    tokenId: p.string().length(200),
    venue: p.enum(VENUE_IDS),
    side: p.enum(SIDES),
    timeInForce: p.enum(TIMES_IN_FORCE),
    amount: decimal(),
    limitPrice: decimal(),
    filledAmount: decimal().default('0'),
    status: p.enum(PAPER_STATUSES),
    reasonCode: p.string().length(60).nullable(),
    reason: p.text().nullable(),
    placedAt: moment(),
    updatedAt: moment(),
    /** Close of the last candle a resting crypto order was matched against. */
    candleAt: moment().nullable(),
    /** It does not trade from here on, whether or not it is canceled by then. */
    goodTill: moment().nullable(),
  },
});

/**
 * A price level that an account has traded against: its last visible size, and the rest of it that is left for the
 * account. Without this row, the size in the book would be available again at each match.
 */
export const PaperLevel = defineEntity({
  name: 'PaperLevel',
  properties: {
    accountId: p.uuid().primary(),
    tokenId: p.string().length(200).primary(),
    /** The side of the taking orders. */
    side: p.enum(SIDES).primary(),
    price: decimal().primary(),
    shown: decimal(),
    left: decimal(),
    /** When it was last read. */
    seenAt: moment(),
  },
});

/** A trade at the paper venue. */
export const PaperFill = defineEntity({
  name: 'PaperFill',
  properties: {
    accountId: p.uuid().primary(),
    /** The venue's trade id. */
    id: p.uuid().primary(),
    orderId: p.uuid(),
    tokenId: p.string().length(200),
    side: p.enum(SIDES),
    amount: decimal(),
    price: decimal(),
    /** USD. */
    fee: decimal(),
    liquidity: p.enum(LIQUIDITIES),
    /** The offer it took: its price and the time of its quote. */
    offerPrice: decimal(),
    offerAsOf: moment(),
    at: moment(),
  },
});

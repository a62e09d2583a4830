import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment, VENUES } from '../columns.ts';
import { SIDES, TIMES_IN_FORCE } from './order.ts';

export const PAPER_STATUSES = ['open', 'filled', 'canceled', 'rejected'] as const;
export type PaperStatus = (typeof PAPER_STATUSES)[number];
export const LIQUIDITIES = ['taker', 'maker'] as const;

/** An order as the paper venue keeps it: the venue's own record, which only its broker reads and writes. */
export const PaperOrder = defineEntity({
  name: 'PaperOrder',
  tableName: 'paper_order',
  properties: {
    accountId: p.uuid().primary(),
    /** The client order id. */
    id: p.uuid().primary(),
    tokenId: p.string().length(200),
    venue: p.enum(VENUES),
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
  },
});

/** A trade at the paper venue. */
export const PaperFill = defineEntity({
  name: 'PaperFill',
  tableName: 'paper_fill',
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
    /** Which offer it took, so that the same one is not taken twice: its price and when the book showed it. */
    offerPrice: decimal(),
    offerAsOf: moment(),
    at: moment(),
  },
});

import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, ledgerSeq, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { LIQUIDITIES, MODES, SIDES, TIMES_IN_FORCE, VENUE_IDS } from '../vocabulary.ts';

export const ORDER_STATUSES = [
  'denied',
  'pending',
  'queued',
  'submitted',
  'unknown',
  'open',
  'partially_filled',
  'filled',
  'canceled',
  'expired',
  'declined',
  'rejected',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ORDER_TYPES = ['market', 'limit'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
/** The origin of an order: an `order`, `close` or `exit` node, or a person or key (`manual`). */
export const ORDER_ORIGINS = ['order', 'close', 'exit', 'manual'] as const;
export type OrderOrigin = (typeof ORDER_ORIGINS)[number];

/** An order from intent to its end, with one id for life: intent id = order id = client order id at the venue. */
export const Order = defineEntity({
  name: 'Order',
  tableName: 'trade_order',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    mode: p.enum(MODES),
    blueprintId: p.uuid(),
    /** Null for an order of a person or key: a stop leaves it alone. */
    deploymentId: p.uuid().nullable(),
    releaseNumber: p.integer().nullable(),
    nodeId: p.string().length(200).nullable(),
    stepAt: moment().nullable(),
    origin: p.enum(ORDER_ORIGINS),
    tokenId: p.string().length(200),
    venue: p.enum(VENUE_IDS),
    /** The venue account of the order; null on paper. */
    connectionId: p.uuid().nullable(),
    side: p.enum(SIDES),
    type: p.enum(ORDER_TYPES),
    timeInForce: p.enum(TIMES_IN_FORCE),
    /** Quantity in the instrument's own unit. */
    amount: decimal(),
    /** The worst acceptable price: for a market order, the band fixed at proposal. */
    limitPrice: decimal(),
    /** USD. Order size that the rules evaluated: amount times price. */
    size: decimal(),
    /** USD. The highest fee of the whole order: a live buy reserves it in addition to its size. */
    worstFee: decimal(),
    filledAmount: decimal().default('0'),
    /** USD. Sum of price times quantity over its fills. */
    filledNotional: decimal().default('0'),
    /** USD. */
    fees: decimal().default('0'),
    status: p.enum(ORDER_STATUSES),
    reasonCode: p.string().length(60).nullable(),
    reason: p.text().nullable(),
    /** One line per rule: rule, limit, actual, headroom, verdict. Written at the decision, whatever its result. */
    receipt: p.json<Json>(),
    rulesVersion: p.integer(),
    /** The receipt of the check at approval. */
    approvalReceipt: p.json<Json>().nullable(),
    /** The node values that led to it, and their ages, at most 8 KB. */
    inputs: p.json<Json>().nullable(),
    /** The quote the decision saw. */
    decidedQuote: p.json<Json>().nullable(),
    /** The release whose deploy approved this in advance (exits). */
    preapprovedRelease: p.integer().nullable(),
    approvedBy: p.string().length(80).nullable(),
    venueOrderId: p.string().length(200).nullable(),
    cancelRequestedAt: moment().nullable(),
    createdAt: moment(),
    /** When it entered `queued`: `maxOrdersPerMinute` counts from it. */
    queuedAt: moment().nullable(),
    submittedAt: moment().nullable(),
    endedAt: moment().nullable(),
    /** Pending: end of the time to approve. Queued: end of the time to send. Null in every other status. */
    expiresAt: moment().nullable(),
    /** The time at which it is canceled, in any status. Fixed at its creation; null: until filled or canceled. */
    goodTill: moment().nullable(),
    updatedAt: moment(),
    version: p.integer().default(1),
    /** The file of the archive that holds receipts, inputs and quote, which are empty here then. */
    archivedPart: p.integer().nullable(),
  },
});

/** Every step of an order, its actor and its reason. Append-only. */
export const OrderTransition = defineEntity({
  name: 'OrderTransition',
  properties: {
    accountId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    number: p.integer().primary(),
    /** Position in the ledger: under the account's lock these numbers rise in the order of commits. */
    seq: ledgerSeq(),
    /** Null for the creation of the intent. */
    fromStatus: p.enum(ORDER_STATUSES).nullable(),
    toStatus: p.enum(ORDER_STATUSES),
    at: moment(),
    /** The order's `expiresAt` from here on. */
    expiresAt: moment().nullable(),
    actor: p.string().length(80),
    reason: p.text().nullable(),
    /**
     * SHA-256 of the step and the inputs of its decision (`engine/platform/transition-digest.ts`); null in rows of older versions.
     */
    digest: p.string().length(64).nullable(),
  },
});

/**
 * `write_off`: a person booked it out, because it could not be sold. `reversal`: the venue took a provisional trade back,
 * so that it is booked the other way round. `adjustment`: the venue no longer held it. `netting`: the venue paid it out
 * against the other side of its question.
 */
export const FILL_KINDS = ['trade', 'settlement', 'write_off', 'reversal', 'adjustment', 'netting'] as const;

/** The state of a fill when it was booked: a venue may still take a provisional one back. */
export const FILL_STATES = ['provisional', 'final'] as const;

/** An execution. Unique by order and the venue's trade id, so that a repeated message changes nothing. */
export const Fill = defineEntity({
  name: 'Fill',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Null for a settlement, which has no order. */
    orderId: p.uuid().nullable(),
    mode: p.enum(MODES),
    kind: p.enum(FILL_KINDS),
    tokenId: p.string().length(200),
    venue: p.enum(VENUE_IDS),
    /** The venue account it was traded at; null on paper. */
    connectionId: p.uuid().nullable(),
    venueTradeId: p.string().length(200),
    side: p.enum(SIDES),
    amount: decimal(),
    price: decimal(),
    /** USD at the time of the trade. */
    fee: decimal(),
    /** The fee as charged by the venue: its currency and its amount. */
    feeAsset: p.string().length(20).default('USD'),
    feeAmount: decimal().default('0'),
    /** Null if the venue does not state it, and for fills without a trade. */
    liquidity: p.enum(LIQUIDITIES).nullable(),
    state: p.enum(FILL_STATES).default('final'),
    at: moment(),
    appliedAt: moment(),
    /** Position in the ledger, from the same sequence as the transitions. */
    seq: ledgerSeq(),
  },
});

/** One account's holding of one instrument through one blueprint in one mode. */
export const Position = defineEntity({
  name: 'Position',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    mode: p.enum(MODES),
    tokenId: p.string().length(200),
    venue: p.enum(VENUE_IDS),
    blueprintId: p.uuid(),
    amount: decimal(),
    /** USD. Cost of the holding; average cost is derived. Fees are never in it. */
    totalCost: decimal(),
    /** USD. Realized through this position since it first opened, after fees. */
    realizedPnl: decimal(),
    fees: decimal(),
    fillCount: p.integer().default(0),
    openedAt: moment(),
    updatedAt: moment(),
  },
});

/** How many further denied orders of the same node, reason and hour one order stands for. */
export const DeniedFold = defineEntity({
  name: 'DeniedFold',
  properties: {
    accountId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    folded: p.bigint('string'),
  },
});

/** The positions that a sell draws on, oldest first. Each row has the amount that it still reserves while the sell lives. */
export const OrderAllocation = defineEntity({
  name: 'OrderAllocation',
  properties: {
    accountId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    number: p.integer().primary(),
    positionId: p.uuid(),
    amount: decimal(),
    filledAmount: decimal().default('0'),
  },
});

/** How one fill changed one position. */
export const FillAllocation = defineEntity({
  name: 'FillAllocation',
  properties: {
    accountId: p.uuid().primary(),
    fillId: p.uuid().primary(),
    positionId: p.uuid().primary(),
    /** From 1: the last part takes the remainder from rounding. */
    number: p.integer(),
    amount: decimal(),
    /** USD. Cost added by a buy, or removed by a sell. */
    cost: decimal(),
    fee: decimal(),
    /** USD. Proceeds − cost − fee of a sell; −fee of a buy. */
    realizedPnl: decimal(),
  },
});

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
/** Who raised it: an `order`, `close` or `exit` node, or a person or key closing a position. */
export const ORDER_ORIGINS = ['order', 'close', 'exit', 'manual'] as const;
export type OrderOrigin = (typeof ORDER_ORIGINS)[number];

/** An order from intent to its end, one id for life: intent id = order id = client order id at the venue. */
export const Order = defineEntity({
  name: 'Order',
  tableName: 'trade_order',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    mode: p.enum(MODES),
    blueprintId: p.uuid(),
    /** Null for a close by a person or key: a stop leaves it alone. */
    deploymentId: p.uuid().nullable(),
    releaseNumber: p.integer().nullable(),
    nodeId: p.string().length(200).nullable(),
    stepAt: moment().nullable(),
    origin: p.enum(ORDER_ORIGINS),
    tokenId: p.string().length(200),
    venue: p.enum(VENUE_IDS),
    /** Which account at the venue it goes to; null on paper. */
    connectionId: p.uuid().nullable(),
    side: p.enum(SIDES),
    type: p.enum(ORDER_TYPES),
    timeInForce: p.enum(TIMES_IN_FORCE),
    /** Quantity in the instrument's own unit. */
    amount: decimal(),
    /** The price never passed: for a market order the band fixed at proposal. */
    limitPrice: decimal(),
    /** USD. Order size the rules judged: amount times price. */
    size: decimal(),
    /** USD. Worst fee of the whole order: what a live buy reserves besides its size. */
    worstFee: decimal(),
    filledAmount: decimal().default('0'),
    /** USD. Sum of price times quantity over its fills. */
    filledNotional: decimal().default('0'),
    /** USD. */
    fees: decimal().default('0'),
    status: p.enum(ORDER_STATUSES),
    reasonCode: p.string().length(60).nullable(),
    reason: p.text().nullable(),
    /** One line per rule: rule, limit, actual, headroom, verdict. Written at the decision, whatever it was. */
    receipt: p.json<Json>(),
    rulesVersion: p.integer(),
    /** The receipt of the second look, taken when it was approved. */
    approvalReceipt: p.json<Json>().nullable(),
    /** Node values and their ages that led to it, at most 8 KB. */
    inputs: p.json<Json>().nullable(),
    /** The quote the decision saw. */
    decidedQuote: p.json<Json>().nullable(),
    /** Release whose deploy approved this in advance (exits). */
    preapprovedRelease: p.integer().nullable(),
    approvedBy: p.string().length(80).nullable(),
    venueOrderId: p.string().length(200).nullable(),
    cancelRequestedAt: moment().nullable(),
    createdAt: moment(),
    /** When it entered `queued`: what `maxOrdersPerMinute` counts. */
    queuedAt: moment().nullable(),
    submittedAt: moment().nullable(),
    endedAt: moment().nullable(),
    /** Pending: end of the time to approve. Queued: end of the time to send. Null where it waits for nobody. */
    expiresAt: moment().nullable(),
    /** From when on it is taken back, wherever it is by then. Fixed at its birth; null: until filled or canceled. */
    goodTill: moment().nullable(),
    updatedAt: moment(),
    version: p.integer().default(1),
  },
});

/** Every edge an order took, who took it and why. Append-only. */
export const OrderTransition = defineEntity({
  name: 'OrderTransition',
  tableName: 'order_transition',
  properties: {
    accountId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    number: p.integer().primary(),
    /** Place in the ledger: under the account's lock these numbers rise in the order of commits. */
    seq: ledgerSeq(),
    /** Null for the birth of the intent. */
    fromStatus: p.enum(ORDER_STATUSES).nullable(),
    toStatus: p.enum(ORDER_STATUSES),
    at: moment(),
    /** The order's `expiresAt` from here on. */
    expiresAt: moment().nullable(),
    actor: p.string().length(80),
    reason: p.text().nullable(),
    /** SHA-256 of the step and what it was decided from (`engine/platform/step-digest.ts`); null in rows of older versions. */
    digest: p.string().length(64).nullable(),
  },
});

/**
 * `write_off`: a person took it off the books, because nobody could sell it. `reversal`: the venue took a provisional trade
 * back, so that it is booked the other way round. `adjustment`: it was not at the venue any more. `netting`: the venue paid it
 * out against the other side of its question.
 */
export const FILL_KINDS = ['trade', 'settlement', 'write_off', 'reversal', 'adjustment', 'netting'] as const;

/** What a fill was when it was booked: a venue may still take a provisional one back. */
export const FILL_STATES = ['provisional', 'final'] as const;

/** An execution. Unique by order and the venue's trade id, so that a repeated message changes nothing. */
export const Fill = defineEntity({
  name: 'Fill',
  tableName: 'fill',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Null for a settlement, which no order asked for. */
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
    /** What the venue charged: the currency and how much of it. */
    feeAsset: p.string().length(20).default('USD'),
    feeAmount: decimal().default('0'),
    /** Null where the venue does not say, and where nothing was traded. */
    liquidity: p.enum(LIQUIDITIES).nullable(),
    state: p.enum(FILL_STATES).default('final'),
    at: moment(),
    appliedAt: moment(),
    /** Place in the ledger, from the same numbers as the transitions. */
    seq: ledgerSeq(),
  },
});

/** What one account holds of one instrument through one blueprint in one mode. */
export const Position = defineEntity({
  name: 'Position',
  tableName: 'position',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    mode: p.enum(MODES),
    tokenId: p.string().length(200),
    venue: p.enum(VENUE_IDS),
    blueprintId: p.uuid(),
    amount: decimal(),
    /** USD. Cost of what is held; average cost is derived. Fees are never in it. */
    totalCost: decimal(),
    /** USD. Realized through this position since it first opened, after fees. */
    realizedPnl: decimal(),
    fees: decimal(),
    fillCount: p.integer().default(0),
    openedAt: moment(),
    updatedAt: moment(),
  },
});

/** How many denied orders of the same node, reason and hour an order stands for besides itself. */
export const DeniedFold = defineEntity({
  name: 'DeniedFold',
  tableName: 'denied_fold',
  properties: {
    accountId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    folded: p.bigint('string'),
  },
});

/** Which positions a sell draws on, oldest first, and how much of each it still reserves while it lives. */
export const OrderAllocation = defineEntity({
  name: 'OrderAllocation',
  tableName: 'order_allocation',
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
  tableName: 'fill_allocation',
  properties: {
    accountId: p.uuid().primary(),
    fillId: p.uuid().primary(),
    positionId: p.uuid().primary(),
    /** From 1: the last part takes what rounding left to the others. */
    number: p.integer(),
    amount: decimal(),
    /** USD. Cost added by a buy, or taken out by a sell. */
    cost: decimal(),
    fee: decimal(),
    /** USD. Proceeds − cost − fee of a sell; −fee of a buy. */
    realizedPnl: decimal(),
  },
});

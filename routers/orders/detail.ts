import { z } from 'zod';
import { VENUES } from '../../db/columns.ts';
import {
  ORDER_ORIGINS,
  ORDER_STATUSES,
  ORDER_TYPES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../db/entities/order.ts';
import type { OrderDetail, Receipt } from '../../engine/orders/read.ts';
import { PRICE_SOURCES } from '../../engine/price-source.ts';
import { EXAMPLE, RULES_EXAMPLE } from '../examples.ts';
import { RulesView, viewRules } from '../risk-rules/schemas.ts';
import { anyJson, timestamp } from '../schemas.ts';
import { ORDER_EXAMPLE } from './schemas.ts';

const ReceiptLine = z.object({
  rule: z.string(),
  limit: z.number(),
  actual: z.number().nullable(),
  headroom: z.number().nullable(),
  verdict: z.enum(['pass', 'wait', 'deny', 'skipped']),
  note: z.string().optional(),
});

export const ReceiptView = z
  .object({
    decidedAt: timestamp,
    rulesVersion: z.number().int(),
    rules: RulesView,
    lines: z.array(ReceiptLine),
    marks: z.array(
      z.object({
        tokenId: z.string(),
        amount: z.number(),
        price: z.number().nullable(),
        asOf: timestamp.nullable(),
        ageSec: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'RiskReceipt', description: 'What each rule saw and said.' });

export const OrderDetailView = z
  .object({
    id: z.uuid(),
    blueprintId: z.uuid(),
    deploymentId: z.uuid().nullable(),
    releaseNumber: z.number().int().nullable(),
    nodeId: z.string().nullable(),
    origin: z.enum(ORDER_ORIGINS).meta({ description: 'The kind of node that raised it, or `manual`.' }),
    tokenId: z.string(),
    venue: z.enum(VENUES),
    title: z.string(),
    priceSource: z.enum(PRICE_SOURCES).nullable().meta({
      description:
        'Whose prices it was decided on: simulated or live ones. Null for orders older than this field.',
    }),
    side: z.enum(SIDES),
    type: z.enum(ORDER_TYPES),
    timeInForce: z.enum(TIMES_IN_FORCE),
    amount: z.number(),
    limitPrice: z.number().meta({ description: 'Never passed; for a market order its price band.' }),
    size: z.number().meta({ description: 'USD. Notional the rules judged.' }),
    worstFee: z.number().meta({ description: 'USD.' }),
    filledAmount: z.number(),
    averagePrice: z.number().nullable(),
    fees: z.number().meta({ description: 'USD paid.' }),
    status: z.enum(ORDER_STATUSES),
    reasonCode: z.string().nullable(),
    reason: z.string().nullable(),
    receipt: ReceiptView,
    approvalReceipt: ReceiptView.nullable().meta({ description: 'The second check, at approval.' }),
    inputs: anyJson.meta({ description: 'Node values that led to it, with their times.' }),
    decidedQuote: anyJson.meta({ description: 'The quote the decision saw.' }),
    preapprovedRelease: z.number().int().nullable(),
    approvedBy: z.string().nullable(),
    cancelRequestedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    queuedAt: timestamp.nullable(),
    submittedAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    version: z.number().int(),
    allocations: z.array(
      z.object({ positionId: z.uuid(), blueprintId: z.uuid(), amount: z.number(), filledAmount: z.number() }),
    ),
    fills: z.array(
      z.object({ id: z.uuid(), amount: z.number(), price: z.number(), fee: z.number(), at: timestamp }),
    ),
    timeline: z.array(
      z.object({
        status: z.enum(ORDER_STATUSES),
        from: z.enum(ORDER_STATUSES).nullable(),
        at: timestamp,
        actor: z.string(),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'OrderDetail', description: 'Everything about one order.' });

const numberOrNull = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

export const viewReceipt = (receipt: Receipt): z.input<typeof ReceiptView> => ({
  ...receipt,
  rules: viewRules(receipt.rules),
  lines: receipt.lines.map((line) => ({
    ...line,
    limit: Number(line.limit),
    actual: numberOrNull(line.actual),
    headroom: numberOrNull(line.headroom),
  })),
  marks: receipt.marks.map((mark) => ({
    ...mark,
    amount: Number(mark.amount),
    price: numberOrNull(mark.price),
  })),
});

export const viewOrderDetail = (order: OrderDetail): z.input<typeof OrderDetailView> => ({
  ...order,
  origin: ORDER_ORIGINS.find((origin) => origin === order.origin) ?? 'manual',
  venue: VENUES.find((venue) => venue === order.venue) ?? 'crypto',
  type: ORDER_TYPES.find((type) => type === order.type) ?? 'limit',
  timeInForce: TIMES_IN_FORCE.find((time) => time === order.timeInForce) ?? 'ioc',
  amount: Number(order.amount),
  limitPrice: Number(order.limitPrice),
  size: Number(order.size),
  worstFee: Number(order.worstFee),
  filledAmount: Number(order.filledAmount),
  averagePrice: numberOrNull(order.averagePrice),
  fees: Number(order.fees),
  receipt: viewReceipt(order.receipt),
  approvalReceipt: order.approvalReceipt && viewReceipt(order.approvalReceipt),
  allocations: order.allocations.map((part) => ({
    ...part,
    amount: Number(part.amount),
    filledAmount: Number(part.filledAmount),
  })),
  fills: order.fills.map((fill) => ({
    ...fill,
    amount: Number(fill.amount),
    price: Number(fill.price),
    fee: Number(fill.fee),
  })),
});

export const ORDER_DETAIL_EXAMPLE = {
  ...ORDER_EXAMPLE,
  deploymentId: EXAMPLE.deploymentId,
  releaseNumber: 1,
  nodeId: 'buy',
  origin: 'order',
  tokenId: 'BTCUSDT',
  venue: 'crypto',
  title: 'BTC/USDT',
  priceSource: 'simulator',
  type: 'market',
  timeInForce: 'ioc',
  limitPrice: 86830,
  size: 86.83,
  worstFee: 0.08683,
  filledAmount: 0,
  averagePrice: null,
  fees: 0,
  reasonCode: null,
  reason: null,
  receipt: {
    decidedAt: EXAMPLE.updatedAt,
    rulesVersion: 1,
    rules: RULES_EXAMPLE,
    lines: [
      { rule: 'maxOrderSize', limit: 100, actual: 86.83, headroom: 13.17, verdict: 'pass' },
      { rule: 'requireApprovalAbove', limit: 50, actual: 86.83, headroom: -36.83, verdict: 'wait' },
    ],
    marks: [],
  },
  approvalReceipt: null,
  inputs: [{ nodeId: 'price', name: 'out', value: 86398.01, asOf: 1795165500000 }],
  decidedQuote: { bid: '86398', ask: '86398.01', asOf: EXAMPLE.updatedAt },
  preapprovedRelease: null,
  approvedBy: null,
  cancelRequestedAt: null,
  updatedAt: EXAMPLE.updatedAt,
  queuedAt: null,
  submittedAt: null,
  endedAt: null,
  expiresAt: '2026-11-20T09:20:00.000Z',
  version: 1,
  allocations: [],
  fills: [],
  timeline: [{ status: 'pending', from: null, at: EXAMPLE.updatedAt, actor: 'system', reason: null }],
};

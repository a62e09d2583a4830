import { z } from 'zod';
import { ORDER_ORIGINS, ORDER_STATUSES, ORDER_TYPES } from '../../db/entities/order.ts';
import { SIDES, TIMES_IN_FORCE, VENUE_IDS } from '../../db/vocabulary.ts';
import { PRICE_SOURCES } from '../../engine/platform/price-source.ts';
import { EXAMPLE } from '../examples.ts';
import { RECEIPT_EXAMPLE, ReceiptView } from '../risk-rules/receipt.ts';
import { anyJson, decimalNumber, timestamp } from '../schemas.ts';
import { ORDER_EXAMPLE } from './schemas.ts';

export const OrderDetailView = z
  .object({
    id: z.uuid(),
    blueprintId: z.uuid(),
    deploymentId: z.uuid().nullable(),
    releaseNumber: z.number().int().nullable(),
    nodeId: z.string().nullable(),
    origin: z
      .enum(ORDER_ORIGINS)
      .meta({ description: 'The kind of node that raised it, or `manual`: a person or key did.' }),
    tokenId: z.string(),
    venue: z.enum(VENUE_IDS),
    title: z.string(),
    priceSource: z.enum(PRICE_SOURCES).nullable().meta({
      description:
        'The source of the prices of its decision: simulated or live. Null for orders older than this field.',
    }),
    side: z.enum(SIDES),
    type: z.enum(ORDER_TYPES),
    timeInForce: z.enum(TIMES_IN_FORCE),
    amount: decimalNumber.meta({ description: 'Quantity: contracts, shares or base coin.' }),
    limitPrice: decimalNumber.meta({
      description: 'The worst acceptable price; for a market order its price band.',
    }),
    size: decimalNumber.meta({ description: 'USD. Notional that the rules evaluated.' }),
    worstFee: decimalNumber.meta({ description: 'USD.' }),
    filledAmount: decimalNumber,
    averagePrice: decimalNumber.nullable(),
    fees: decimalNumber.meta({ description: 'USD paid.' }),
    status: z.enum(ORDER_STATUSES),
    reasonCode: z.string().nullable(),
    reason: z.string().nullable(),
    receipt: ReceiptView,
    approvalReceipt: ReceiptView.nullable().meta({ description: 'The second check, at approval.' }),
    inputs: anyJson.meta({ description: 'Node values that led to it, with their times.' }),
    decidedQuote: anyJson.meta({ description: 'The quote at the decision.' }),
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
      z.object({
        positionId: z.uuid(),
        blueprintId: z.uuid(),
        amount: decimalNumber,
        filledAmount: decimalNumber,
      }),
    ),
    fills: z.array(
      z.object({
        id: z.uuid(),
        amount: decimalNumber,
        price: decimalNumber,
        fee: decimalNumber,
        at: timestamp,
      }),
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
  receipt: RECEIPT_EXAMPLE,
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

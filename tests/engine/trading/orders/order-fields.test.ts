import { expect, test } from 'vitest';
import { orderFieldsOf } from '../../../../engine/trading/orders/read/order-fields.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { NOW } from './market.ts';

const ROW: OrderRow = {
  account_id: 'a',
  id: 'o-1',
  mode: 'paper',
  blueprint_id: 'b-1',
  deployment_id: 'd-1',
  release_number: 3,
  node_id: 'exit-1',
  step_at: '2026-11-20 11:58:00+00',
  origin: 'exit',
  token_id: 'KXTEST:yes',
  venue: 'venue-a',
  connection_id: null,
  side: 'sell',
  type: 'market',
  time_in_force: 'ioc',
  amount: '10.000000000000',
  limit_price: '0.460000000000',
  size: '4.800000000000',
  worst_fee: '0.175000000000',
  filled_amount: '3.000000000000',
  filled_notional: '1.000000000000',
  fees: '0.050000000000',
  status: 'pending',
  reason_code: 'r',
  reason: 'R.',
  receipt: { verdict: 'pending' },
  rules_version: 7,
  approval_receipt: { verdict: 'queued' },
  inputs: { price: 1 },
  decided_quote: { bid: '0.48' },
  preapproved_release: 3,
  approved_by: 'session:me',
  venue_order_id: 'v-1',
  cancel_requested_at: '2026-11-20 11:59:01+00',
  created_at: '2026-11-20 11:59:02+00',
  queued_at: '2026-11-20 11:59:03+00',
  submitted_at: '2026-11-20 11:59:04+00',
  ended_at: '2026-11-20 11:59:05+00',
  expires_at: '2026-11-20 12:00:00.001+00',
  good_till: null,
  updated_at: '2026-11-20 11:59:06.5+00',
  version: 4,
  archived_part: null,
};

test('an order is returned with every number as a decimal string and every time in ISO 8601', () => {
  expect(orderFieldsOf(ROW, NOW)).toEqual({
    id: 'o-1',
    blueprintId: 'b-1',
    deploymentId: 'd-1',
    releaseNumber: 3,
    nodeId: 'exit-1',
    origin: 'exit',
    tokenId: 'KXTEST:yes',
    venue: 'venue-a',
    side: 'sell',
    type: 'market',
    timeInForce: 'ioc',
    amount: '10',
    limitPrice: '0.46',
    size: '4.8',
    worstFee: '0.175',
    filledAmount: '3',
    averagePrice: '0.333333333333',
    fees: '0.05',
    status: 'pending',
    reasonCode: 'r',
    reason: 'R.',
    receipt: { verdict: 'pending' },
    approvalReceipt: { verdict: 'queued' },
    inputs: { price: 1 },
    decidedQuote: { bid: '0.48' },
    preapprovedRelease: 3,
    approvedBy: 'session:me',
    cancelRequestedAt: '2026-11-20T11:59:01.000Z',
    createdAt: '2026-11-20T11:59:02.000Z',
    updatedAt: '2026-11-20T11:59:06.500Z',
    queuedAt: '2026-11-20T11:59:03.000Z',
    submittedAt: '2026-11-20T11:59:04.000Z',
    endedAt: '2026-11-20T11:59:05.000Z',
    expiresAt: '2026-11-20T12:00:00.001Z',
    version: 4,
  });
});

test('it has no average price before its first fill, and is expired from its time on', () => {
  expect(orderFieldsOf({ ...ROW, filled_amount: '0.000000000000' }, NOW).averagePrice).toBeNull();
  expect(orderFieldsOf({ ...ROW, expires_at: '2026-11-20 12:00:00+00' }, NOW).status).toBe('expired');
});

test('a resting order expires at its own end, and a pending one when its wait ends', () => {
  const good_till = '2026-11-21 12:00:00+00';
  const resting = { ...ROW, status: 'open' as const, expires_at: null };
  expect(orderFieldsOf(resting, NOW).expiresAt).toBeNull();
  expect(orderFieldsOf({ ...resting, good_till }, NOW).expiresAt).toBe('2026-11-21T12:00:00.000Z');
  expect(orderFieldsOf({ ...ROW, good_till }, NOW).expiresAt).toBe('2026-11-20T12:00:00.001Z');
});

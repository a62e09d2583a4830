import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { NOW } from './market.ts';

/** The instant this number of milliseconds after {@link NOW}, as the service writes it. */
export const at = (ms: number): string => new Date(NOW.getTime() + ms).toISOString();

/** A buy of 10 contracts at 0.5 that rests at its venue, of a deployment. */
export const ORDER: OrderRow = {
  account_id: 'a',
  id: 'o-1',
  mode: 'paper',
  blueprint_id: 'b-1',
  deployment_id: 'd-1',
  release_number: 3,
  node_id: 'n-1',
  step_at: at(-60_000),
  origin: 'order',
  token_id: 'KXTEST:yes',
  venue: 'venue-a',
  connection_id: null,
  side: 'buy',
  type: 'limit',
  time_in_force: 'gtc',
  amount: '10',
  limit_price: '0.5',
  size: '5',
  worst_fee: '0.175',
  filled_amount: '0',
  filled_notional: '0',
  fees: '0',
  status: 'open',
  reason_code: null,
  reason: null,
  receipt: {},
  rules_version: 3,
  approval_receipt: null,
  inputs: {},
  decided_quote: null,
  preapproved_release: null,
  approved_by: null,
  venue_order_id: null,
  cancel_requested_at: null,
  created_at: at(-60_000),
  queued_at: null,
  submitted_at: null,
  ended_at: null,
  expires_at: null,
  good_till: null,
  updated_at: at(-60_000),
  version: 4,
  archived_part: null,
};

export const order = (terms: Partial<OrderRow> = {}): OrderRow => ({ ...ORDER, ...terms });

/** The event of {@link ORDER} in another status. */
export const changedTo = (
  status: OrderRow['status'],
  terms: { id?: string; side?: 'buy' | 'sell' } = {},
) => ({
  type: 'order.changed',
  payload: { id: 'o-1', blueprintId: 'b-1', tokenId: 'KXTEST:yes', side: 'buy', ...terms, status },
});

import type { VenueFill, VenueOrder } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import type { PaperFillRow, PaperOrderRow } from './match-orders.ts';

/** End of an open order after a cancel request. */
export const CANCELED = {
  status: 'canceled',
  reason_code: 'canceled',
  reason: 'Canceled on request.',
} as const;

/** Converts an order to a venue's report; trades by time. Pure. */
export const venueOrderOf = (order: PaperOrderRow, fills: readonly PaperFillRow[]): VenueOrder => ({
  venueOrderId: order.id,
  status: order.status,
  filledAmount: exact(order.filled_amount).toFixed(),
  fills: fills.map(fillOf),
  reasonCode: order.reason_code,
  reason: order.reason,
});

/** Converts a trade of the paper venue to a venue's fill: fees are in dollars, and every fill is final. */
export function fillOf(fill: PaperFillRow): VenueFill {
  const fee = exact(fill.fee).toFixed();
  return {
    tradeId: fill.id,
    amount: exact(fill.amount).toFixed(),
    price: exact(fill.price).toFixed(),
    fee,
    feeAsset: 'USD',
    feeAmount: fee,
    liquidity: fill.liquidity,
    state: 'final',
    at: new Date(fill.at),
  };
}

import type { VenueFill, VenueOrder } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import type { PaperFillRow, PaperOrderRow } from './matching.ts';

/** What becomes of an order that rests when its owner asks for its end. */
export const CANCELED = {
  status: 'canceled',
  reason_code: 'canceled',
  reason: 'Canceled on request.',
} as const;

/** All the paper venue knows of an order, in a broker's words; trades by time. Pure. */
export const venueOrderOf = (order: PaperOrderRow, fills: readonly PaperFillRow[]): VenueOrder => ({
  venueOrderId: order.id,
  status: order.status,
  filledAmount: exact(order.filled_amount).toFixed(),
  fills: fills.map(fillOf),
  reasonCode: order.reason_code,
  reason: order.reason,
});

/** A trade of the paper venue in a broker's words: it charges in dollars, and takes none back. */
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

import type { VenueFill } from '../../../../venues/broker.ts';
import { type Draw, drawsOfSell } from '../../../books/accounting/apply-fill.ts';
import {
  type Booking,
  type BookingContext,
  type FillPartRow,
  type FillRow,
  holdingOf,
  type PositionRow,
  planBooking,
} from '../../../books/accounting/booking.ts';
import { exact } from '../../../platform/decimal.ts';
import type { OrderRow } from '../row.ts';

/*
 * A venue can reverse a trade that it had reported as provisional. No booking is changed: a reversal is booked, the same trade
 * with the opposite side and a refunded fee.
 */

/** A booked trade of an order. */
export type BookedTrade = Pick<
  FillRow,
  'id' | 'kind' | 'venue_trade_id' | 'amount' | 'price' | 'fee' | 'fee_asset' | 'fee_amount' | 'liquidity'
>;

const PREFIX = 'reversal:';
export const reversalIdOf = (tradeId: string): string => `${PREFIX}${tradeId}`;

/** Sign with which a booked fill adds to its order's filled amount: a reversal subtracts. */
export const fillSignOf = ({ kind }: Pick<FillRow, 'kind'>): 1 | -1 => (kind === 'reversal' ? -1 : 1);

/** Returns the trade to reverse for a failed fill: booked, and not reversed yet. */
export function tradeToReverse<Trade extends Pick<BookedTrade, 'venue_trade_id'>>(
  { tradeId, state }: VenueFill,
  booked: readonly Trade[],
): Trade | null {
  if (state !== 'failed') return null;
  const isReversed = booked.some(({ venue_trade_id }) => venue_trade_id === reversalIdOf(tradeId));
  return isReversed ? null : (booked.find(({ venue_trade_id }) => venue_trade_id === tradeId) ?? null);
}

/** Books a trade with the opposite side, on the positions it moved; `parts` are those of the trade. Pure. */
export function reverseTrade(
  order: Pick<OrderRow, 'id' | 'token_id' | 'venue' | 'side' | 'connection_id'>,
  trade: BookedTrade,
  { parts, positions }: { parts: readonly FillPartRow[]; positions: readonly PositionRow[] },
  at: Date,
  entry: BookingContext,
): Booking {
  const [amount, fee] = [exact(trade.amount), exact(trade.fee)];
  const moved = parts.flatMap((part): (Draw & { id: string })[] => {
    const position = positions.find(({ id }) => id === part.position_id);
    return position === undefined
      ? []
      : [{ ...holdingOf(position), id: position.id, draw: exact(part.amount) }];
  });
  return planBooking(
    {
      kind: 'reversal',
      orderId: order.id,
      tokenId: order.token_id,
      venue: order.venue,
      venueTradeId: reversalIdOf(trade.venue_trade_id),
      side: order.side === 'buy' ? 'sell' : 'buy',
      amount,
      price: exact(trade.price),
      fee: fee.negated(),
      feeAsset: trade.fee_asset,
      feeAmount: exact(trade.fee_amount).negated(),
      liquidity: trade.liquidity,
      connectionId: order.connection_id,
      at,
    },
    order.side === 'buy' ? drawsOfSell(amount, [], moved) : moved,
    entry,
  );
}

import type { VenueFill } from '../../../../venues/broker.ts';
import { type Draw, drawsOfSell } from '../../../books/accounting/apply-fill.ts';
import {
  type Booking,
  bookFillOn,
  type Entry,
  type FillPartRow,
  type FillRow,
  holdingOf,
  type PositionRow,
} from '../../../books/accounting/booking.ts';
import { exact } from '../../../platform/decimal.ts';
import type { OrderRow } from '../row.ts';

/*
 * A venue can take back a trade that it had told as provisional. Nothing booked is changed: a reversal is booked, the same
 * trade the other way round, with its fee given back.
 */

/** A trade of an order as it is booked. */
export type BookedTrade = Pick<
  FillRow,
  'id' | 'kind' | 'venue_trade_id' | 'amount' | 'price' | 'fee' | 'fee_asset' | 'fee_amount' | 'liquidity'
>;

const PREFIX = 'reversal:';
export const reversalIdOf = (tradeId: string): string => `${PREFIX}${tradeId}`;

/** What a booked fill adds to what its order has filled: a reversal takes away. */
export const signOf = ({ kind }: Pick<FillRow, 'kind'>): 1 | -1 => (kind === 'reversal' ? -1 : 1);

/** The trade a failed fill undoes: it is booked, and not reversed yet. */
export function toReverse<Trade extends Pick<BookedTrade, 'venue_trade_id'>>(
  { tradeId, state }: VenueFill,
  booked: readonly Trade[],
): Trade | null {
  if (state !== 'failed') return null;
  const isReversed = booked.some(({ venue_trade_id }) => venue_trade_id === reversalIdOf(tradeId));
  return isReversed ? null : (booked.find(({ venue_trade_id }) => venue_trade_id === tradeId) ?? null);
}

/** Books a trade the other way round, on the positions it moved; `parts` are those of the trade. Pure. */
export function reverse(
  order: Pick<OrderRow, 'id' | 'token_id' | 'venue' | 'side' | 'connection_id'>,
  trade: BookedTrade,
  { parts, positions }: { parts: readonly FillPartRow[]; positions: readonly PositionRow[] },
  at: Date,
  entry: Entry,
): Booking {
  const [amount, fee] = [exact(trade.amount), exact(trade.fee)];
  const moved = parts.flatMap((part): (Draw & { id: string })[] => {
    const position = positions.find(({ id }) => id === part.position_id);
    return position === undefined
      ? []
      : [{ ...holdingOf(position), id: position.id, draw: exact(part.amount) }];
  });
  return bookFillOn(
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

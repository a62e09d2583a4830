import type { OrderStatus } from '../../db/entities/order.ts';
import { exact } from '../decimal.ts';
import type { VenueOrder } from './broker.ts';
import { orderChanged } from './events.ts';
import type { OrderRow } from './row.ts';
import { isEdge } from './states.ts';

/**
 * Where the order goes from here, or null to stay. What our own books say of its fills decides how full it is: an
 * answer that claims an end we have not all fills of waits until they arrive.
 */
export function statusAfter(
  order: Pick<OrderRow, 'status' | 'amount' | 'filled_amount'>,
  answer: Pick<VenueOrder, 'status'>,
  hasNewFills: boolean,
): OrderStatus | null {
  const filled = exact(order.filled_amount);
  const to = filled.eq(order.amount)
    ? 'filled'
    : answer.status === 'open' || answer.status === 'filled'
      ? filled.gt(0)
        ? 'partially_filled'
        : 'open'
      : answer.status;
  if (to === order.status && !hasNewFills) return null;
  return isEdge(order.status, to) ? to : null;
}

/** What the account's event stream says of an answer that changed the order; `booked` is how many fills were new. */
export function eventsOf(
  order: Pick<OrderRow, 'id' | 'blueprint_id' | 'token_id' | 'side' | 'status'>,
  booked: number,
) {
  if (booked === 0) return [orderChanged(order)];
  const payload = { orderId: order.id, tokenId: order.token_id, blueprintId: order.blueprint_id };
  return [
    orderChanged(order),
    { type: 'fill.applied' as const, payload: { ...payload, fills: booked } },
    { type: 'position.changed' as const, payload },
  ];
}

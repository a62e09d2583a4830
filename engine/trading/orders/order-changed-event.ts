import type { AccountEvent } from '../../platform/events/events.ts';
import type { OrderRow } from './row.ts';

/** Builds the event that an order changed, to `status` if that is stated. Subscribers fetch the rest. */
export const orderChangedEvent = (
  order: Pick<OrderRow, 'id' | 'blueprint_id' | 'token_id' | 'side' | 'status'>,
  status = order.status,
): AccountEvent => ({
  type: 'order.changed',
  payload: {
    id: order.id,
    blueprintId: order.blueprint_id,
    tokenId: order.token_id,
    side: order.side,
    status,
  },
});

import type { Selectable } from 'kysely';
import type { Database } from '../../../../db/tables.ts';
import type { AbsenceProof, OrderRef, PlaceResult, Prepared, VenueOrder } from '../../../../venues/broker.ts';
import type { BooksKey } from '../../../platform/context.ts';
import type { OrderRow } from '../row.ts';
import { keyOf } from './brokers.ts';
import { countAbsentPoll, type OrderAbsences } from './order-absence.ts';
import { arrivesByOurClock } from './send-deadlines.ts';

export type DispatchRow = Selectable<Database['order_dispatch']>;

/** An order at its venue: the stored order, all its ids, and the dispatched request. */
export type SentOrder = { order: OrderRow; ref: OrderRef; dispatch: DispatchRow | null };

/** Combines an order with all its ids. Pure. */
export const sentOrderOf = (books: BooksKey, order: OrderRow, dispatch: DispatchRow | null): SentOrder => ({
  order,
  dispatch,
  ref: {
    ...keyOf(books, order.id),
    tokenId: order.token_id,
    prepared: dispatch === null ? null : preparedOf(dispatch),
    // Not the id known in advance: a venue that lists only open orders must know whether it ever reported the id.
    venueOrderId: order.venue_order_id,
  },
});

const preparedOf = (dispatch: DispatchRow): Prepared => ({
  clientOrderId: dispatch.client_order_id,
  venueOrderId: dispatch.venue_order_id,
  request: dispatch.request,
  signedFor: new Date(dispatch.signed_for),
  arrivesBy: new Date(dispatch.arrives_by),
});

/** Returns the latest arrival of the order; null if it was never sent. Pure. */
export function arrivesByOf({ order, dispatch }: Pick<SentOrder, 'order' | 'dispatch'>): Date | null {
  if (dispatch !== null) return new Date(dispatch.arrives_by);
  return order.submitted_at === null ? null : arrivesByOurClock(new Date(order.submitted_at));
}

/** Returns the stored evidence of its absence. Without a dispatch row it is not stored, and each poll starts from 0. Pure. */
export const storedAbsencesOf = (dispatch: DispatchRow | null): OrderAbsences => ({
  count: dispatch?.absences ?? 0,
  asOf: dispatch?.absent_as_of ? new Date(dispatch.absent_as_of) : null,
});

/** Counts one more poll, with the venue's data as of `asOf`; returns `before` itself if it adds nothing. Pure. */
export function absencesAfter(
  { order, dispatch }: Pick<SentOrder, 'order' | 'dispatch'>,
  before: OrderAbsences,
  asOf: Date,
  proof: AbsenceProof,
): OrderAbsences {
  const arrivesBy = arrivesByOf({ order, dispatch });
  return arrivesBy === null ? before : countAbsentPoll(before, { asOf, arrivesBy }, proof);
}

/** Converts the response to a create to a report; null if the state stays unknown, also without a response. Pure. */
export function reportOfPlaced(placed: PlaceResult | null): VenueOrder | null {
  switch (placed?.kind) {
    case 'taken':
      return placed.order;
    case 'refused':
    case 'withheld':
      return {
        venueOrderId: null,
        status: placed.kind === 'refused' ? 'rejected' : 'canceled',
        filledAmount: '0',
        fills: [],
        reasonCode: placed.code,
        reason: placed.reason,
      };
    default:
      return null;
  }
}

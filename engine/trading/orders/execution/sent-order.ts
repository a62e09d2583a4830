import type { Selectable } from 'kysely';
import type { Database } from '../../../../db/tables.ts';
import type { AbsenceProof, OrderRef, Placed, Prepared, VenueOrder } from '../../../../venues/broker.ts';
import type { BooksKey } from '../../../platform/context.ts';
import type { OrderRow } from '../row.ts';
import { type Absences, withAbsence } from './absence.ts';
import { keyOf } from './brokers.ts';
import { arrivesByOurClock } from './send-deadlines.ts';

export type DispatchRow = Selectable<Database['order_dispatch']>;

/** An order at its venue: as stored, by all its names, and as it left. */
export type SentOrder = { order: OrderRow; ref: OrderRef; dispatch: DispatchRow | null };

/** The order of these books by all its names. Pure. */
export const sentOrderOf = (books: BooksKey, order: OrderRow, dispatch: DispatchRow | null): SentOrder => ({
  order,
  dispatch,
  ref: {
    ...keyOf(books, order.id),
    tokenId: order.token_id,
    prepared: dispatch === null ? null : preparedOf(dispatch),
    // Not the id that is known beforehand: a venue that shows only what rests needs to know whether it ever said it.
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

/** After this moment the order cannot arrive any more; null for one that never left. Pure. */
export function arrivesByOf({ order, dispatch }: Pick<SentOrder, 'order' | 'dispatch'>): Date | null {
  if (dispatch !== null) return new Date(dispatch.arrives_by);
  return order.submitted_at === null ? null : arrivesByOurClock(new Date(order.submitted_at));
}

/** What was found of its absence so far; without a dispatch row there is no place to keep it, and each look starts anew. Pure. */
export const absencesOf = (dispatch: DispatchRow | null): Absences => ({
  count: dispatch?.absences ?? 0,
  asOf: dispatch?.absent_as_of ? new Date(dispatch.absent_as_of) : null,
});

/** The same after one more look, which saw what the venue knew at `asOf`: `before` itself where it adds nothing. Pure. */
export function absencesAfter(
  { order, dispatch }: Pick<SentOrder, 'order' | 'dispatch'>,
  before: Absences,
  asOf: Date,
  proof: AbsenceProof,
): Absences {
  const arrivesBy = arrivesByOf({ order, dispatch });
  return arrivesBy === null ? before : withAbsence(before, { asOf, arrivesBy }, proof);
}

/** What an answer to a create says of the order; null where it leaves that open, as one that never came does. Pure. */
export function toldBy(placed: Placed | null): VenueOrder | null {
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

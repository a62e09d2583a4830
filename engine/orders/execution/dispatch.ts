import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import type { OrderRef, Prepared } from '../../../venues/broker.ts';
import type { Work } from '../../context.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import type { Absences } from './absence.ts';
import { keyOf } from './brokers.ts';
import { arrivesByOurClock } from './send-deadlines.ts';

/*
 * The outbox: one row an order, written in the transaction that clears it. Whoever writes the row sends the request, once,
 * and nobody else does: a row that is there already says that it has left, or may have.
 */

export type DispatchRow = Selectable<Database['order_dispatch']>;

/** An order at its venue: as stored, by all its names, and as it left. */
export type SentOrder = { order: OrderRow; ref: OrderRef; dispatch: DispatchRow | null };

/** Writes down what is about to leave. Call under the account's lock, in the transaction that marks it as sent. */
export async function recordDispatch(
  tx: Work,
  order: Pick<OrderRow, 'id' | 'connection_id'>,
  prepared: Prepared,
  { sentAt, leaseEpoch }: { sentAt: Date; leaseEpoch: string | null },
): Promise<void> {
  await tx.db
    .insertInto('order_dispatch')
    .values({
      account_id: tx.accountId,
      order_id: order.id,
      connection_id: order.connection_id,
      lease_epoch: leaseEpoch,
      client_order_id: prepared.clientOrderId,
      venue_order_id: prepared.venueOrderId,
      request: JSON.stringify(prepared.request),
      signed_for: prepared.signedFor,
      arrives_by: prepared.arrivesBy,
      sent_at: sentAt,
    })
    .execute();
}

/** The order and what left of it. @throws DomainError `not_found` as `loadOrder` does. */
export async function loadSent(work: Work, id: string): Promise<SentOrder> {
  const order = await loadOrder(work, id);
  const dispatch = await work.db
    .selectFrom('order_dispatch')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('order_id', '=', id)
    .executeTakeFirst();
  return { order, ref: refOf(work, order, dispatch ?? null), dispatch: dispatch ?? null };
}

const refOf = (work: Work, order: OrderRow, dispatch: DispatchRow | null): OrderRef => ({
  ...keyOf(work, order.id),
  tokenId: order.token_id,
  prepared: dispatch === null ? null : preparedOf(dispatch),
  // Not the id that is known beforehand: a venue that shows only what rests needs to know whether it ever said it.
  venueOrderId: order.venue_order_id,
});

const preparedOf = (dispatch: DispatchRow): Prepared => ({
  clientOrderId: dispatch.client_order_id,
  venueOrderId: dispatch.venue_order_id,
  request: dispatch.request,
  signedFor: new Date(dispatch.signed_for),
  arrivesBy: new Date(dispatch.arrives_by),
});

/** After this moment the order cannot arrive any more; null for one that never left. */
export function arrivesByOf({ order, dispatch }: Pick<SentOrder, 'order' | 'dispatch'>): Date | null {
  if (dispatch !== null) return new Date(dispatch.arrives_by);
  return order.submitted_at === null ? null : arrivesByOurClock(new Date(order.submitted_at));
}

/**
 * Stores the absences of an order, unless somebody else has since `before` was read; without a dispatch row there is no place to, and
 * each look starts anew.
 */
export async function keepAbsences(
  { db, accountId }: Work,
  orderId: string,
  { before, after }: { before: Absences; after: Absences },
): Promise<void> {
  await db
    .updateTable('order_dispatch')
    .set({ absences: after.count, absent_as_of: after.asOf })
    .where('account_id', '=', accountId)
    .where('order_id', '=', orderId)
    .where('absences', '=', before.count)
    .where('absent_as_of', 'is not distinct from', before.asOf?.toISOString() ?? null)
    .execute();
}

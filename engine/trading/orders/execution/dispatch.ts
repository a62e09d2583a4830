import type { Prepared } from '../../../../venues/broker.ts';
import type { Work } from '../../../platform/context.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import type { OrderAbsences } from './order-absence.ts';
import { type SentOrder, sentOrderOf } from './sent-order.ts';

/*
 * Outbox of orders: one row an order, written in the transaction that clears it for sending. Only the process that writes the
 * row sends the request, once. An existing row means that the request was sent, or may have been.
 */

/** Stores the request before it is sent. Call under the account's lock, in the transaction that marks the order as sent. */
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

/** Loads an order with its dispatch. @throws DomainError `not_found` as `loadOrder` does. */
export async function loadSent(work: Work, id: string): Promise<SentOrder> {
  const order = await loadOrder(work, id);
  const dispatch = await work.db
    .selectFrom('order_dispatch')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('order_id', '=', id)
    .executeTakeFirst();
  return sentOrderOf(work, order, dispatch ?? null);
}

/**
 * Stores the absences of an order, unless another process has changed them since `before` was read. Without a dispatch row they
 * are not stored, and each poll starts from 0.
 */
export async function storeOrderAbsences(
  { db, accountId }: Work,
  orderId: string,
  { before, after }: { before: OrderAbsences; after: OrderAbsences },
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

import { sql } from 'kysely';
import { underAccountLock } from '../../account-lock.ts';
import { audit } from '../../audit.ts';
import type { Work } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { recordEvents } from '../../events.ts';
import { isAtVenue, isPastItsTime, statusAt } from '../../order-states.ts';
import { orderChanged } from '../events.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { transition } from './transition.ts';

/**
 * Ends an order that is not done. What the venue may have already is asked back, and may still fill until the
 * venue confirms; everything else is canceled at once. Canceling again is a success without effect.
 *
 * @throws DomainError `not_found`, or `invalid_state` for an order that has ended another way.
 */
export async function cancelOrder(work: Work, id: string): Promise<{ ok: true; id: string }> {
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    const status = statusAt(order, now);
    if (status === 'canceled' || order.cancel_requested_at !== null) return { ok: true, id: order.id };
    const after = await cancelOrRequestCancel(tx, order, now, canceledFor(`Canceled by ${tx.actor}.`));
    if (after === null) {
      throw new DomainError(
        'invalid_state',
        `Order ${order.id} is ${status}: there is nothing left to cancel.`,
      );
    }
    await audit(tx, {
      action: 'order.cancel_requested',
      subjectId: order.id,
      before: { status: order.status },
      after: { status: after.status },
      at: now,
    });
    await recordEvents(tx, now, [orderChanged(after)]);
    return { ok: true, id: order.id };
  });
}

/** Why an order is taken back: machine-readable and in words. */
export type Why = { reasonCode: 'canceled' | 'daily_loss' | 'fee_raised' | 'rule_changed'; reason: string };

export const canceledFor = (reason: string): Why => ({ reasonCode: 'canceled', reason });

/**
 * Cancels an order the venue has not got, or marks one it may have as to be canceled; null for one that has ended.
 * Call under the account's lock.
 */
export async function cancelOrRequestCancel(
  tx: Work,
  order: OrderRow,
  now: Date,
  why: Why,
): Promise<OrderRow | null> {
  if (isPastItsTime(order, now)) return null;
  if (order.status === 'pending' || order.status === 'queued') {
    return transition(tx, order, 'canceled', { at: now, ...why });
  }
  if (!isAtVenue(order.status)) return null;
  return tx.db
    .updateTable('trade_order')
    .set({
      cancel_requested_at: now,
      reason_code: why.reasonCode,
      reason: why.reason,
      updated_at: now,
      version: sql<number>`version + 1`,
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', order.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

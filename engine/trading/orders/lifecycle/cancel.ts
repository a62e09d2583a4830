import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { type CancelReason, planCancel } from './plan-cancel.ts';
import { planCancelByActor } from './plan-endings.ts';
import { storeOutcome, writeChange } from './transition.ts';

/**
 * Cancels an order at once, or requests the cancel of one that the venue may have. The latter may still fill until the venue
 * confirms. Canceling again succeeds without effect.
 *
 * @throws DomainError `not_found`, or `invalid_state` for an order that has ended differently.
 */
export async function cancelOrder(work: Work, id: string): Promise<{ ok: true; id: string }> {
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    const outcome = planCancelByActor(order, { actor: tx.actor, now });
    if (outcome !== null) await storeOutcome(tx, now, outcome);
    return { ok: true, id: order.id };
  });
}

/** Cancels one order or requests its cancel, and stores that; null if it has ended. Call under the account's lock. */
export async function cancelOrRequestCancel(
  tx: Work,
  order: OrderRow,
  now: Date,
  why: CancelReason,
): Promise<OrderRow | null> {
  const change = planCancel(order, why, { actor: tx.actor, now });
  return change && writeChange(tx, change);
}

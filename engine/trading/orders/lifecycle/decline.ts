import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { loadOrder } from '../load.ts';
import { planDecline } from './plan-endings.ts';
import { storeOutcome } from './transition.ts';

/**
 * Declines a pending intent permanently. Declining it again succeeds without effect.
 *
 * @throws DomainError `not_found`, `intent_expired`, or `intent_not_pending` for an order in another status.
 */
export async function declineOrder(work: Work, id: string): Promise<{ ok: true; id: string }> {
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    const outcome = planDecline(order, { actor: tx.actor, now });
    if (outcome !== null) await storeOutcome(tx, now, outcome);
    return { ok: true, id: order.id };
  });
}

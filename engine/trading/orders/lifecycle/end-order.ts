import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import type { DecisionOutcome } from './order-change.ts';
import type { ActionContext } from './plan-cancel.ts';
import { planCancelByActor, planDecline, planExpiry } from './plan-endings.ts';
import { storeOutcome } from './transition.ts';

/**
 * Decides about one order under its account's lock, and stores the outcome. Null changes nothing.
 *
 * @throws DomainError `not_found`, and as `plan`.
 */
export const decideOrder = (
  work: Work,
  id: string,
  plan: (order: OrderRow, doing: ActionContext) => DecisionOutcome | null,
): Promise<{ ok: true; id: string }> =>
  underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    await storeOutcome(tx, now, plan(order, { actor: tx.actor, now }));
    return { ok: true, id: order.id };
  });

/**
 * Cancels an order at once, or requests the cancel of one that the venue may have. The latter may still fill until the venue
 * confirms. Canceling again succeeds without effect.
 */
export const cancelOrder = (work: Work, id: string) => decideOrder(work, id, planCancelByActor);

/** Declines a pending intent permanently. Declining it again succeeds without effect. @see planDecline */
export const declineOrder = (work: Work, id: string) => decideOrder(work, id, planDecline);

/** Stores that an order has expired. Reads have returned it as expired since its time was over. */
export const expireOrder = (work: Work, id: string) => decideOrder(work, id, planExpiry);

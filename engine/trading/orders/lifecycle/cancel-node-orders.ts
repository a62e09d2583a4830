import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';
import type { Cancellation } from '../../../strategy/graph/types.ts';
import { planNodeCancels } from './plan-cancel.ts';
import { storeOutcome } from './transition.ts';

/**
 * Cancels live orders of a blueprint on behalf of the nodes that raised them: unsent ones at once. For those that the venue may
 * have, a cancel is requested, and they may fill until the venue confirms. Doing so again changes nothing.
 */
export async function cancelNodeOrders(
  work: Work,
  blueprintId: string,
  cancellations: readonly Cancellation[],
): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const orders = await tx.db
      .selectFrom('trade_order')
      .selectAll()
      .where('account_id', '=', tx.accountId)
      .where('mode', '=', tx.mode)
      .where('blueprint_id', '=', blueprintId)
      .where(
        'id',
        'in',
        cancellations.map(({ orderId }) => orderId),
      )
      .where('status', 'in', LIVE_STATUSES)
      .orderBy('id')
      .execute();
    await storeOutcome(tx, now, planNodeCancels(orders, cancellations, { actor: tx.actor, now }));
  });
}

/**
 * Cancels of several orders. Unsent ones end at once. For those that the venue may have, a cancel is requested, and they may fill
 * until the venue confirms. A repeated call changes nothing.
 */
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import type { Cancellation } from '../../../strategy/graph/types.ts';
import { liveOrdersOf } from '../load.ts';
import type { OrderRow } from '../row.ts';
import {
  type BuysToCancel,
  type DeploymentCancel,
  planBuyCancels,
  planDeploymentCancels,
  planNodeCancels,
} from './plan-cancel.ts';
import { storeOutcome } from './transition.ts';

/** Cancels the account's cleared buys. Call under the account's lock. */
export async function cancelBuys(tx: Work, now: Date, which: BuysToCancel): Promise<void> {
  await storeOutcome(tx, now, planBuyCancels(await readLiveBuyOrders(tx), which, { actor: tx.actor, now }));
}

/** Reads the account's buys that can still trade and have no cancel request, oldest first. */
export const readLiveBuyOrders = (tx: Work): Promise<OrderRow[]> =>
  liveOrdersOf(tx).where('side', '=', 'buy').where('cancel_requested_at', 'is', null).execute();

/**
 * Cancels the orders of a deployment. Call in the transaction that ends or halts the deployment, under the account's lock, in
 * the deployment's mode.
 */
export async function cancelDeploymentOrders(
  tx: Work,
  deploymentId: string,
  which: DeploymentCancel,
): Promise<void> {
  const orders = await liveOrdersOf(tx)
    .where('deployment_id', '=', deploymentId)
    .where('cancel_requested_at', 'is', null)
    .execute();
  await storeOutcome(tx, which.now, planDeploymentCancels(orders, deploymentId, which, tx.actor));
}

/** Cancels orders of a blueprint on behalf of the nodes that raised them. */
export async function cancelNodeOrders(
  work: Work,
  blueprintId: string,
  cancellations: readonly Cancellation[],
): Promise<void> {
  const ids = cancellations.map(({ orderId }) => orderId);
  await underAccountLock(work, async (tx, now) => {
    const orders = await liveOrdersOf(tx)
      .where('blueprint_id', '=', blueprintId)
      .where('id', 'in', ids)
      .execute();
    await storeOutcome(tx, now, planNodeCancels(orders, cancellations, { actor: tx.actor, now }));
  });
}

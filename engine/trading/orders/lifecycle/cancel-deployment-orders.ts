import type { Work } from '../../../platform/context.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';
import { type DeploymentCancel, planDeploymentCancels } from './plan-cancel.ts';
import { storeOutcome } from './transition.ts';

/**
 * Cancels the orders of a deployment. `pending` and `queued` ones are canceled in this transaction. For those that the venue
 * may have, a cancel is requested, and they may still fill until the venue confirms. Call in the transaction that ends or halts
 * the deployment, under the account's lock.
 */
export async function cancelDeploymentOrders(
  tx: Work,
  deploymentId: string,
  which: DeploymentCancel,
): Promise<void> {
  const orders = await tx.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', deploymentId)
    .where('status', 'in', LIVE_STATUSES)
    .where('cancel_requested_at', 'is', null)
    .orderBy('id')
    .execute();
  await storeOutcome(tx, which.now, planDeploymentCancels(orders, deploymentId, which, tx.actor));
}

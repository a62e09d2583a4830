import type { Work } from '../../../platform/context.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';
import { type DeploymentCancel, takeBackOfDeployment } from './taking-back.ts';
import { carryOut } from './transition.ts';

/**
 * Ends the orders of a deployment: `pending` and `queued` ones are canceled in this transaction, what the venue may
 * have gets a wish to cancel and may still fill until the venue confirms. Orders of no deployment are untouched.
 * Call inside the transaction that ends or halts the deployment, under the account's lock.
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
  await carryOut(tx, which.now, takeBackOfDeployment(orders, deploymentId, which, tx.actor));
}

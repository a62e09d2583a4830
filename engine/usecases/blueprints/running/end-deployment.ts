import type { Work } from '../../../platform/context.ts';
import { cancelDeploymentOrders } from '../../../trading/orders/lifecycle/cancel-orders.ts';

/**
 * Ends the blueprint's live deployment in the mode of the work, if it has one: the fence. In this transaction its requests
 * are deleted and its unsent orders are canceled. A runner that still holds the deployment cannot create anything with it:
 * the single entry checks under the same account lock whether the deployment lives.
 *
 * Call under the account's lock. Returns the id of the ended deployment, or null.
 */
export async function endDeployment(
  tx: Work,
  blueprintId: string,
  at: Date,
  reason: string,
): Promise<string | null> {
  const { db } = tx;
  const ended = await db
    .updateTable('deployment')
    .set({ ended_at: at, end_reason: reason })
    .where('account_id', '=', tx.accountId)
    .where('blueprint_id', '=', blueprintId)
    .where('mode', '=', tx.mode)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!ended) return null;
  await db
    .deleteFrom('intent_request')
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', ended.id)
    .execute();
  await cancelDeploymentOrders(tx, ended.id, { now: at, reason });
  return ended.id;
}

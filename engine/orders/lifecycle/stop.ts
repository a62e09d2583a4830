import type { Work } from '../../context.ts';
import { recordEvents } from '../../events.ts';
import { LIVE_STATUSES } from '../../order-states.ts';
import { orderChanged } from '../events.ts';
import { canceledFor, cancelOrRequestCancel } from './cancel.ts';

export type DeploymentCancel = {
  /** The moment read under the account's lock. */
  now: Date;
  /** Why, in words, for each order's log. */
  reason: string;
  /** Leave sells alone: a deployment with an error halts its entries, its exits keep guarding. */
  onlyBuys?: boolean;
};

/**
 * Ends the orders of a deployment: `pending` and `queued` ones are canceled in this transaction, what the venue may
 * have gets a wish to cancel and may still fill until the venue confirms. Orders of no deployment are untouched.
 * Call inside the transaction that ends or halts the deployment, under the account's lock.
 */
export async function cancelDeploymentOrders(
  tx: Work,
  deploymentId: string,
  { now, reason, onlyBuys = false }: DeploymentCancel,
): Promise<void> {
  const orders = await tx.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', deploymentId)
    .where('status', 'in', LIVE_STATUSES)
    .where('cancel_requested_at', 'is', null)
    .$if(onlyBuys, (query) => query.where('side', '=', 'buy'))
    .orderBy('id')
    .execute();
  const events = [];
  for (const order of orders) {
    const after = await cancelOrRequestCancel(tx, order, now, canceledFor(reason));
    if (after !== null) events.push(orderChanged(after));
  }
  await recordEvents(tx, now, events);
}

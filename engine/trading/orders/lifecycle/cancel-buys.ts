import type { Work } from '../../../platform/context.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import { type BuysToCancel, planBuyCancels } from './plan-cancel.ts';
import { storeOutcome } from './transition.ts';

/**
 * Cancels the account's cleared buys. Unsent ones end at once; for those that the venue may have, a cancel is requested, and
 * they may fill until the venue confirms. Call under the account's lock.
 */
export async function cancelBuys(tx: Work, now: Date, which: BuysToCancel): Promise<void> {
  await storeOutcome(tx, now, planBuyCancels(await readLiveBuyOrders(tx), which, { actor: tx.actor, now }));
}

/** Reads the account's buys that can still trade and have no cancel request, oldest first. */
export const readLiveBuyOrders = (tx: Work): Promise<OrderRow[]> =>
  tx.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('side', '=', 'buy')
    .where('status', 'in', LIVE_STATUSES)
    .where('cancel_requested_at', 'is', null)
    .orderBy('id')
    .execute();

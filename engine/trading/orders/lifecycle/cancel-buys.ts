import type { Work } from '../../../platform/context.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import { type BuysToCancel, takeBackBuys } from './taking-back.ts';
import { carryOut } from './transition.ts';

/**
 * Takes back the account's buys that are cleared: what is not sent ends here, what the venue may have is asked back and
 * may fill until the venue confirms. Call under the account's lock.
 */
export async function cancelBuys(tx: Work, now: Date, which: BuysToCancel): Promise<void> {
  await carryOut(tx, now, takeBackBuys(await readLiveBuyOrders(tx), which, { actor: tx.actor, now }));
}

/** The account's buys that can still trade and that nobody has asked back, oldest first. */
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

import type { Work } from '../../context.ts';
import { recordEvents } from '../../events.ts';
import { isPastItsTime, LIVE_STATUSES, RESERVING_STATUSES } from '../../order-states.ts';
import { orderChanged } from '../events.ts';
import { cancelOrRequestCancel, type Why } from './cancel.ts';
import { transition } from './transition.ts';

export type BuysToCancel = Why & {
  /** Only buys whose size the rules judged as larger than this, a decimal string in USD. */
  largerThan?: string;
  /** Whether intents that wait for approval are declined too; else they are judged again at their approval. */
  declinePending?: boolean;
};

/**
 * Takes back the account's buys that are cleared: what is not sent ends here, what the venue may have is asked back and
 * may fill until the venue confirms. Call under the account's lock.
 */
export async function cancelBuys(
  tx: Work,
  now: Date,
  { reasonCode, reason, largerThan, declinePending = false }: BuysToCancel,
): Promise<void> {
  const orders = await tx.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('side', '=', 'buy')
    .where('status', 'in', declinePending ? LIVE_STATUSES : RESERVING_STATUSES)
    .where('cancel_requested_at', 'is', null)
    .$if(largerThan !== undefined, (query) => query.where('size', '>', largerThan ?? '0'))
    .orderBy('id')
    .execute();
  const events = [];
  for (const order of orders) {
    if (isPastItsTime(order, now)) continue;
    const after =
      order.status === 'pending'
        ? await transition(tx, order, 'declined', { at: now, reasonCode, reason })
        : await cancelOrRequestCancel(tx, order, now, { reasonCode, reason });
    if (after !== null) events.push(orderChanged(after));
  }
  await recordEvents(tx, now, events);
}

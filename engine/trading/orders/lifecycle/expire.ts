import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { loadOrder } from '../load.ts';
import { planExpiry } from './plan-endings.ts';
import { storeOutcome } from './transition.ts';

/** Stores that an order has expired. Reads have returned it as expired since its time was over. */
export async function expireOrder(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    const outcome = planExpiry(order, { actor: tx.actor, now });
    if (outcome !== null) await storeOutcome(tx, now, outcome);
  });
}

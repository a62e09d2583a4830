import { underAccountLock } from '../../account-lock.ts';
import type { Work } from '../../context.ts';
import { recordEvents } from '../../events.ts';
import { isPastItsTime } from '../../order-states.ts';
import { orderChanged } from '../events.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { goodTillPassed, isGoodTillPassed } from '../terms/good-till.ts';
import { transition } from './transition.ts';

/** Writes down that an order's time is over. Everyone has read it as expired since. */
export async function expireOrder(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (!isPastItsTime(order, now)) return;
    const expired = await transition(tx, order, 'expired', { at: now, ...whyExpired(order) });
    await recordEvents(tx, now, [orderChanged(expired)]);
  });
}

function whyExpired({ status, expires_at, good_till }: OrderRow) {
  const isItsOwnEnd = expires_at !== null && isGoodTillPassed(good_till, new Date(expires_at));
  if (isItsOwnEnd) return goodTillPassed(good_till);
  return status === 'pending'
    ? { reasonCode: 'not_approved', reason: 'Nobody approved it in time.' }
    : { reasonCode: 'not_sent', reason: 'It was not sent within 30 seconds.' };
}

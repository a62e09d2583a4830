import { underAccountLock } from '../../account-lock.ts';
import type { Work } from '../../context.ts';
import { recordEvents } from '../../events.ts';
import { isPastItsTime } from '../../order-states.ts';
import { orderChanged } from '../events.ts';
import { loadOrder } from '../load.ts';
import { transition } from './transition.ts';

/** Writes down that an order's time is over. Everyone has read it as expired since. */
export async function expireOrder(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (!isPastItsTime(order, now)) return;
    const reason =
      order.status === 'pending' ? 'Nobody approved it in time.' : 'It was not sent within 30 seconds.';
    const expired = await transition(tx, order, 'expired', {
      at: now,
      reasonCode: order.status === 'pending' ? 'not_approved' : 'not_sent',
      reason,
    });
    await recordEvents(tx, now, [orderChanged(expired)]);
  });
}

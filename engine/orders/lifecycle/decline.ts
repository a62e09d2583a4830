import { underAccountLock } from '../../account-lock.ts';
import { audit } from '../../audit.ts';
import type { Work } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { recordEvents } from '../../events.ts';
import { isPastItsTime, statusAt } from '../../order-states.ts';
import { orderChanged } from '../events.ts';
import { loadOrder } from '../load.ts';
import { transition } from './transition.ts';

/**
 * Says no to a pending intent, for good. Declining it again is a success without effect.
 *
 * @throws DomainError `not_found`, `intent_expired`, or `intent_not_pending` for an order that went another way.
 */
export async function declineOrder(work: Work, id: string): Promise<{ ok: true; id: string }> {
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.status === 'declined') return { ok: true, id: order.id };
    if (order.status === 'pending' && isPastItsTime(order, now)) {
      throw new DomainError('intent_expired', `Order ${order.id} waited for approval and has expired.`);
    }
    if (order.status !== 'pending') {
      throw new DomainError(
        'intent_not_pending',
        `Order ${order.id} is ${statusAt(order, now)}: only a pending one can be declined.`,
      );
    }
    const declined = await transition(tx, order, 'declined', {
      at: now,
      reasonCode: 'declined',
      reason: `Declined by ${tx.actor}.`,
    });
    await audit(tx, {
      action: 'order.declined',
      subjectId: order.id,
      before: { status: order.status },
      after: { status: declined.status },
      at: now,
    });
    await recordEvents(tx, now, [orderChanged(declined)]);
    return { ok: true, id: order.id };
  });
}

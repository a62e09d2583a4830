import { underAccountLock } from '../../account-lock.ts';
import type { Work } from '../../context.ts';
import { recordEvents } from '../../events.ts';
import { orderChanged } from '../events.ts';
import { transition } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import { type Broker, keyOf } from './broker.ts';
import { type AppliedReport, applyReport } from './execution-report.ts';
import { markUnknown } from './send.ts';
import { cannotArriveAfter } from './send-deadlines.ts';

/**
 * Asks the venue what became of an order without an answer, and believes it. An order the venue has not got is
 * `rejected` if it could not arrive any more when the venue was asked; before that, its absence proves nothing.
 */
export async function reconcileOrder(work: Work, broker: Broker, id: string): Promise<AppliedReport | null> {
  await markUnknown(work, id, 'Its sender was gone before the answer.');
  const askedAt = await work.clock(work.db);
  const answer = await broker.find(keyOf(work, id));
  if (answer !== null) return applyReport(work, id, answer);
  await giveUp(work, id, askedAt);
  return null;
}

/** Compares an order that rests with what the venue has. Its absence there proves nothing and changes nothing. */
export async function syncOrder(work: Work, broker: Broker, id: string): Promise<AppliedReport | null> {
  const answer = await broker.find(keyOf(work, id));
  return answer === null ? null : applyReport(work, id, answer);
}

async function giveUp(work: Work, id: string, askedAt: Date): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.status !== 'unknown' || order.submitted_at === null) return;
    if (askedAt.getTime() <= cannotArriveAfter(order.submitted_at)) return;
    const rejected = await transition(tx, order, 'rejected', {
      at: now,
      reasonCode: 'never_arrived',
      reason: 'The venue never received it.',
    });
    await recordEvents(tx, now, [orderChanged(rejected)]);
  });
}

import { underAccountLock } from '../../account-lock.ts';
import type { Work } from '../../context.ts';
import { exact } from '../../decimal.ts';
import { recordEvents } from '../../events.ts';
import { isPastItsTime } from '../../order-states.ts';
import { orderChanged } from '../events.ts';
import { transition } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { ARRIVE_WITHIN_MS } from '../settings.ts';
import { noLaterThan } from '../terms/good-till.ts';
import { type Broker, type BrokerOrder, keyOf, type VenueOrder } from './broker.ts';
import { type AppliedReport, applyReport } from './execution-report.ts';
import { whyAfter } from './next-status.ts';

/**
 * Takes one queued order to its venue: marks it as sent in a first transaction, hands it over outside of any, and
 * books the answer in a second one. Whoever finds it not queued any more does nothing. An answer that is lost makes
 * it `unknown`; it is never sent again.
 *
 * @returns what the answer did, or null if there was nothing to send or no answer.
 */
export async function sendOrder(work: Work, broker: Broker, id: string): Promise<AppliedReport | null> {
  const toSend = await markSubmitted(work, id);
  if (toSend === null) return null;
  const answer = await placeWithin(broker, toSend);
  if (answer === null) {
    await markUnknown(work, id, 'The answer of the venue was lost.');
    return null;
  }
  return applyReport(work, id, answer);
}

/** Asks the venue to end a resting order, and books what it answers: a fill may have been faster. */
export async function cancelAtVenue(work: Work, broker: Broker, id: string): Promise<AppliedReport | null> {
  const answer = await broker.cancel(keyOf(work, id));
  return answer === null ? null : applyReport(work, id, answer);
}

async function markSubmitted(work: Work, id: string): Promise<BrokerOrder | null> {
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.status !== 'queued' || isPastItsTime(order, now)) return null;
    if (await isFenced(tx, order)) {
      const reason = 'Its deployment ended before it was sent.';
      const canceled = await transition(tx, order, 'canceled', {
        at: now,
        reasonCode: 'deployment_ended',
        reason,
      });
      await recordEvents(tx, now, [orderChanged(canceled)]);
      return null;
    }
    const submitted = await transition(tx, order, 'submitted', {
      at: now,
      set: { submitted_at: now.toISOString() },
    });
    await recordEvents(tx, now, [orderChanged(submitted)]);
    return {
      ...keyOf(tx, order.id),
      tokenId: order.token_id,
      venue: order.venue,
      side: order.side,
      timeInForce: order.time_in_force,
      amount: exact(order.amount).toFixed(),
      limitPrice: exact(order.limit_price).toFixed(),
      validUntil: noLaterThan(order.good_till, new Date(now.getTime() + ARRIVE_WITHIN_MS)),
      goodTill: order.good_till === null ? null : new Date(order.good_till),
    };
  });
}

/** Whether the deployment that raised the order has ended, or halted its entries, since it was cleared. */
async function isFenced(tx: Work, order: OrderRow): Promise<boolean> {
  if (order.deployment_id === null) return false;
  const live = await tx.db
    .selectFrom('deployment as d')
    .leftJoin('deployment_state as s', (join) =>
      join.onRef('s.account_id', '=', 'd.account_id').onRef('s.deployment_id', '=', 'd.id'),
    )
    .select('s.halted')
    .where('d.account_id', '=', tx.accountId)
    .where('d.id', '=', order.deployment_id)
    .where('d.ended_at', 'is', null)
    .executeTakeFirst();
  return live === undefined || (live.halted === true && order.side === 'buy');
}

/** The venue's answer, or null where none came in time: whatever a broker throws proves nothing. */
async function placeWithin(broker: Broker, order: BrokerOrder): Promise<VenueOrder | null> {
  const timeout = AbortSignal.timeout(ARRIVE_WITHIN_MS);
  const tooLate = new Promise<null>((resolve) => {
    timeout.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    return await Promise.race([broker.place(order), tooLate]);
  } catch {
    return null;
  }
}

/** Turns a sent order without an answer into one that only the venue can tell about. */
export async function markUnknown(work: Work, id: string, reason: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.status !== 'submitted') return;
    const lost = { reasonCode: 'answer_lost', reason };
    const why = whyAfter(order, lost, 'unknown');
    const unknown = await transition(tx, order, 'unknown', { at: now, ...why });
    await recordEvents(tx, now, [orderChanged(unknown)]);
  });
}

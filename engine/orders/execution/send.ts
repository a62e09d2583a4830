import type { Broker, BrokerOrder, Placed, Prepared, VenueOrder } from '../../../venues/broker.ts';
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
import { type Brokers, keyOf } from './brokers.ts';
import { loadSent, recordDispatch } from './dispatch.ts';
import { type AppliedReport, applyReport } from './execution-report.ts';
import { whyAfter } from './next-status.ts';
import { tradedInstrumentOf } from './traded-instrument.ts';

/**
 * Takes one queued order to its venue: marks it as sent and writes down the request in a first transaction, hands it
 * over outside of any, and books the answer in a second one. Whoever finds it not queued any more does nothing. An
 * answer that is lost makes it `unknown`; it is never sent again.
 *
 * @returns what the answer did, or null if there was nothing to send or no answer.
 */
export async function sendOrder(work: Work, brokers: Brokers, id: string): Promise<AppliedReport | null> {
  const departing = await clearToSend(work, brokers, id);
  if (departing === null) return null;
  const placed = await placeWithin(departing);
  switch (placed?.kind) {
    case 'taken':
      return applyReport(work, id, placed.order);
    case 'refused':
      return applyReport(work, id, rejectedAs(placed));
    default:
      await markUnknown(work, id, 'The answer of the venue was lost.');
      return null;
  }
}

/** Asks the venue to end a resting order, and books what became of it: a fill may have been faster. */
export async function cancelAtVenue(work: Work, brokers: Brokers, id: string): Promise<AppliedReport | null> {
  const { order, ref } = await loadSent(work, id);
  const broker = brokers.of(work, order.venue, order.connection_id);
  await broker.cancel(ref);
  const found = await broker.find(ref);
  return found.kind === 'found' ? applyReport(work, id, found.order) : null;
}

type Departing = { broker: Broker; order: BrokerOrder; prepared: Prepared };

async function clearToSend(work: Work, brokers: Brokers, id: string): Promise<Departing | null> {
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.status !== 'queued' || isPastItsTime(order, now)) return null;
    if (await isFenced(tx, order)) {
      await cancelUnsent(tx, order, now, 'deployment_ended', 'Its deployment ended before it was sent.');
      return null;
    }
    const broker = brokers.of(tx, order.venue, order.connection_id);
    const toSend = brokerOrderOf(tx, order, now);
    const preparation = broker.prepare(toSend, tradedInstrumentOf(await readInstrument(tx, order)), now);
    if (preparation.kind === 'refused') {
      await cancelUnsent(tx, order, now, preparation.code, preparation.reason);
      return null;
    }
    const { prepared } = preparation;
    const submitted = await transition(tx, order, 'submitted', {
      at: now,
      set: { submitted_at: now.toISOString() },
    });
    await recordDispatch(tx, order, prepared, now);
    await recordEvents(tx, now, [orderChanged(submitted)]);
    return { broker, order: toSend, prepared };
  });
}

const brokerOrderOf = (tx: Work, order: OrderRow, now: Date): BrokerOrder => ({
  ...keyOf(tx, order.id),
  tokenId: order.token_id,
  venue: order.venue,
  side: order.side,
  timeInForce: order.time_in_force,
  amount: exact(order.amount).toFixed(),
  limitPrice: exact(order.limit_price).toFixed(),
  validUntil: noLaterThan(order.good_till, new Date(now.getTime() + ARRIVE_WITHIN_MS)),
  goodTill: order.good_till === null ? null : new Date(order.good_till),
});

const readInstrument = (tx: Work, { token_id }: OrderRow) =>
  tx.db.selectFrom('instrument').selectAll().where('token_id', '=', token_id).executeTakeFirstOrThrow();

async function cancelUnsent(
  tx: Work,
  order: OrderRow,
  now: Date,
  reasonCode: string,
  reason: string,
): Promise<void> {
  const canceled = await transition(tx, order, 'canceled', { at: now, reasonCode, reason });
  await recordEvents(tx, now, [orderChanged(canceled)]);
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
async function placeWithin({ broker, order, prepared }: Departing): Promise<Placed | null> {
  const timeout = AbortSignal.timeout(ARRIVE_WITHIN_MS);
  const tooLate = new Promise<null>((resolve) => {
    timeout.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    return await Promise.race([broker.place(order, prepared), tooLate]);
  } catch {
    return null;
  }
}

const rejectedAs = ({ code, reason }: { code: string; reason: string }): VenueOrder => ({
  venueOrderId: null,
  status: 'rejected',
  filledAmount: '0',
  fills: [],
  reasonCode: code,
  reason,
});

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

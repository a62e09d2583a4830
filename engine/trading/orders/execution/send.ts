import type { Broker, BrokerOrder, Placed, Prepared } from '../../../../venues/broker.ts';
import type { MayLeave } from '../../../../venues/http/send-once.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { readLive } from '../../../risk/read-live.ts';
import { carryOut } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import { type Sending, sendings, traceIdOfOrder } from '../observed.ts';
import { ARRIVE_WITHIN_MS, DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import type { Brokers } from './brokers.ts';
import { depart, loseAnswer } from './departure.ts';
import { loadSent, recordDispatch } from './dispatch.ts';
import type { AppliedReport } from './execution-report.ts';
import { askingBrakes, TOO_LATE } from './may-leave.ts';
import { readDeparting } from './read-departing.ts';
import { toldBy } from './sent-order.ts';
import { tradedInstrumentOf } from './traded-instrument.ts';
import { applyAnswer } from './venue-events.ts';
import { passageOf } from './way-out.ts';

/**
 * Sends one queued order to its venue. A first transaction marks it as sent and stores the request. The request is sent outside
 * a transaction, and a second one books the response. An order that is no longer queued is not sent. A lost response makes the
 * order `unknown`; it is never sent again.
 *
 * @returns the applied report, or null if there was nothing to send or no response.
 */
export async function sendOrder(
  work: Work,
  brokers: Brokers,
  id: string,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<AppliedReport | null> {
  const sending: Sending = { orderId: id, accountId: work.accountId, traceId: null, outcome: 'nothing' };
  return sendings.tracePromise(() => sendObserved(work, brokers, sending, settings), sending);
}

async function sendObserved(
  work: Work,
  brokers: Brokers,
  sending: Sending,
  settings: TradingSettings,
): Promise<AppliedReport | null> {
  const { orderId: id } = sending;
  const departing = await clearToSend(work, brokers, id, settings);
  if (departing === null) return null;
  const placed = await placeWithin(departing);
  sending.traceId = departing.traceId;
  sending.outcome = placed?.kind ?? 'lost';
  const told = toldBy(placed);
  if (told !== null) return applyAnswer(work, id, told);
  await markUnknown(work, id, 'The answer of the venue was lost.');
  return null;
}

/** Cancels a resting order at its venue, and books the result: a fill may have been faster. */
export async function cancelAtVenue(work: Work, brokers: Brokers, id: string): Promise<AppliedReport | null> {
  const { order, ref } = await loadSent(work, id);
  const broker = brokers.of(work, order.venue, order.connection_id);
  await broker.cancel(ref);
  const found = await broker.find(ref);
  return found.kind === 'found' ? applyAnswer(work, id, found.order) : null;
}

type Departing = {
  broker: Broker;
  order: BrokerOrder;
  prepared: Prepared;
  /** Checks whether it may still be sent: it may have been blocked since it was cleared. */
  mayLeave: MayLeave;
  traceId: string;
};

async function clearToSend(
  work: Work,
  brokers: Brokers,
  id: string,
  { liveCaps }: TradingSettings,
): Promise<Departing | null> {
  const { held } = brokers;
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.status !== 'queued') return null;
    const { connection_id } = order;
    const leaseEpoch = connection_id === null ? null : (held?.epochOf(connection_id) ?? null);
    const { instrument, fence, leased } = await readDeparting(tx, order, leaseEpoch);
    const brokerOf = () => brokers.of(tx, order.venue, connection_id);
    const departure = depart(
      order,
      fence,
      passageOf(order, held, { leaseEpoch, leased }),
      (toSend) => brokerOf().prepare(toSend, tradedInstrumentOf(instrument), now),
      { accountId: tx.accountId, mode: tx.mode, actor: tx.actor, now },
      await readLive(tx, { ...order, connectionId: connection_id }, liveCaps, now),
    );
    if (departure === null) return null;
    await carryOut(tx, now, departure.outcome);
    if (departure.kind === 'stays') return null;
    await recordDispatch(tx, order, departure.prepared, {
      sentAt: now,
      leaseEpoch: departure.leaseEpoch,
    });
    const mayLeave = askingBrakes(work, order, held, departure.leaseEpoch);
    const { order: toSend, prepared } = departure;
    return { broker: brokerOf(), order: toSend, prepared, mayLeave, traceId: traceIdOfOrder(order) };
  });
}

/**
 * Returns the venue's response, or null if none came in time: an error of the broker is no evidence. An order that still waits
 * for its request slot when its time is over is never sent.
 */
async function placeWithin({ broker, order, prepared, mayLeave }: Departing): Promise<Placed | null> {
  const timeout = AbortSignal.timeout(ARRIVE_WITHIN_MS);
  let hasLeft = false;
  const mayLeaveInTime: MayLeave = async () => {
    const why = await mayLeave();
    if (timeout.aborted) return TOO_LATE;
    hasLeft = why === null;
    return why;
  };
  const tooLate = new Promise<Placed | null>((resolve) => {
    const giveUp = () => resolve(hasLeft ? null : { kind: 'withheld', ...TOO_LATE });
    timeout.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([broker.place(order, prepared, mayLeaveInTime), tooLate]);
  } catch {
    return null;
  }
}

/** Marks a sent order without a response as `unknown`: only the venue knows its state. */
export async function markUnknown(work: Work, id: string, reason: string): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const outcome = loseAnswer(await loadOrder(tx, id), reason, { actor: tx.actor, now });
    if (outcome !== null) await carryOut(tx, now, outcome);
  });
}

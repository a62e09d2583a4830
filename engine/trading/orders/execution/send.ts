import type { Broker, BrokerOrder, PlaceResult, Prepared } from '../../../../venues/broker.ts';
import type { MayLeave } from '../../../../venues/http/send-once.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { readLiveOrderInputs } from '../../../risk/read-live-order-inputs.ts';
import { type Sending, sendings, traceIdOfOrder } from '../diagnostics.ts';
import { decideOrder } from '../lifecycle/end-order.ts';
import { storeOutcome } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import { ARRIVE_WITHIN_MS, DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import type { AppliedReport } from './apply-report.ts';
import type { Brokers } from './brokers.ts';
import { checkBeforeSend, TOO_LATE } from './check-before-send.ts';
import { loadSent, recordDispatch } from './dispatch.ts';
import { markSentUnknown, planSubmission } from './plan-submission.ts';
import { readSubmissionFacts } from './read-submission-facts.ts';
import { routeStateOf } from './route-state.ts';
import { reportOfPlaced } from './sent-order.ts';
import { tradedInstrumentOf } from './traded-instrument.ts';
import { applyVenueReport } from './venue-events.ts';

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
  const cleared = await clearToSend(work, brokers, id, settings);
  if (cleared === null) return null;
  const placed = await placeWithin(cleared);
  sending.traceId = cleared.traceId;
  sending.outcome = placed?.kind ?? 'lost';
  const report = reportOfPlaced(placed);
  if (report !== null) return applyVenueReport(work, id, report);
  await markUnknown(work, id, 'The answer of the venue was lost.');
  return null;
}

/** Cancels a resting order at its venue, and books the result: a fill may have been faster. */
export async function cancelAtVenue(work: Work, brokers: Brokers, id: string): Promise<AppliedReport | null> {
  const { order, ref } = await loadSent(work, id);
  const broker = brokers.of(work, order.venue, order.connection_id);
  await broker.cancel(ref);
  const found = await broker.find(ref);
  return found.kind === 'found' ? applyVenueReport(work, id, found.order) : null;
}

type ClearedOrder = {
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
): Promise<ClearedOrder | null> {
  const { held } = brokers;
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.status !== 'queued') return null;
    const { connection_id } = order;
    const leaseEpoch = connection_id === null ? null : (held?.epochOf(connection_id) ?? null);
    const { instrument, fence, leased } = await readSubmissionFacts(tx, order, leaseEpoch);
    const brokerOf = () => brokers.of(tx, order.venue, connection_id);
    const submission = planSubmission(
      order,
      fence,
      routeStateOf(order, held, { leaseEpoch, leased }),
      (toSend) => brokerOf().prepare(toSend, tradedInstrumentOf(instrument), now),
      { accountId: tx.accountId, mode: tx.mode, actor: tx.actor, now },
      await readLiveOrderInputs(tx, { ...order, connectionId: connection_id }, liveCaps, now),
    );
    if (submission === null) return null;
    await storeOutcome(tx, now, submission.outcome);
    if (submission.kind === 'cancel') return null;
    await recordDispatch(tx, order, submission.prepared, {
      sentAt: now,
      leaseEpoch: submission.leaseEpoch,
    });
    const mayLeave = checkBeforeSend(work, order, held, submission.leaseEpoch);
    const { order: toSend, prepared } = submission;
    return { broker: brokerOf(), order: toSend, prepared, mayLeave, traceId: traceIdOfOrder(order) };
  });
}

/**
 * Returns the venue's response, or null if none came in time: an error of the broker is no evidence. An order that still waits
 * for its request slot when its time is over is never sent.
 */
async function placeWithin({ broker, order, prepared, mayLeave }: ClearedOrder): Promise<PlaceResult | null> {
  const timeout = AbortSignal.timeout(ARRIVE_WITHIN_MS);
  let isSent = false;
  const mayLeaveInTime: MayLeave = async () => {
    const why = await mayLeave();
    if (timeout.aborted) return TOO_LATE;
    isSent = why === null;
    return why;
  };
  const tooLate = new Promise<PlaceResult | null>((resolve) => {
    const giveUp = () => resolve(isSent ? null : { kind: 'withheld', ...TOO_LATE });
    timeout.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([broker.place(order, prepared, mayLeaveInTime), tooLate]);
  } catch {
    return null;
  }
}

/** Marks a sent order without a response as `unknown`: only the venue knows its state. */
export const markUnknown = (work: Work, id: string, reason: string) =>
  decideOrder(work, id, (order, doing) => markSentUnknown(order, reason, doing));

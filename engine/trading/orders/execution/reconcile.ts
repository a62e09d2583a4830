import type { AbsenceProof } from '../../../../venues/broker.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { storeOutcome } from '../lifecycle/transition.ts';
import type { AppliedReport } from './apply-report.ts';
import type { Brokers } from './brokers.ts';
import { loadSent, storeOrderAbsences } from './dispatch.ts';
import { pollWithinMs } from './order-absence.ts';
import { rejectUnreceivedOrder } from './plan-submission.ts';
import { markUnknown } from './send.ts';
import { absencesAfter, arrivesByOf, type SentOrder, storedAbsencesOf } from './sent-order.ts';
import { applyVenueReport } from './venue-events.ts';

/**
 * Polls the venue for an order without a response, and applies the result. An absent order is `rejected` once its absence is
 * proven: it can no longer arrive, and was polled as often as its venue requires.
 *
 * @returns the applied report, or null while the state is unknown.
 */
export async function reconcileOrder(
  work: Work,
  brokers: Brokers,
  id: string,
): Promise<AppliedReport | null> {
  const sent = await loadSent(work, id);
  const { order, ref } = sent;
  // A poll does not take the account's lock, so that it is on time even for a busy account.
  if (order.status === 'submitted')
    await markUnknown(work, id, 'Its sending process stopped before the response.');
  const broker = brokers.of(work, order.venue, order.connection_id);
  const found = await broker.find(ref);
  if (found.kind === 'found') return applyVenueReport(work, id, found.order);
  if (found.kind === 'absent') await recordAbsence(work, sent, found.asOf, broker.absenceProof);
  return null;
}

/** Returns when to poll an order again if that speeds up the proof of its absence; null if it does not. */
export async function pollAgainWithinMs(work: Work, brokers: Brokers, id: string): Promise<number | null> {
  const { order, dispatch } = await loadSent(work, id);
  const arrivesBy = arrivesByOf({ order, dispatch });
  if (order.status !== 'unknown' || arrivesBy === null) return null;
  const { absenceProof } = brokers.of(work, order.venue, order.connection_id);
  const now = await work.clock(work.db);
  return pollWithinMs(storedAbsencesOf(dispatch), { now, arrivesBy }, absenceProof);
}

/** Compares a resting order with the venue. Its absence there proves nothing and changes nothing. */
export async function syncOrder(work: Work, brokers: Brokers, id: string): Promise<AppliedReport | null> {
  const { order, ref } = await loadSent(work, id);
  const found = await brokers.of(work, order.venue, order.connection_id).find(ref);
  return found.kind === 'found' ? applyVenueReport(work, id, found.order) : null;
}

/**
 * Polls again for an order that has ended here: given up as never received, or refused. If its venue lists it after all,
 * cancels it at once and books its fills late.
 *
 * @returns the applied report, or null if there is nothing new.
 */
export async function pollGivenUpOrder(
  work: Work,
  brokers: Brokers,
  id: string,
): Promise<AppliedReport | null> {
  const { order, ref } = await loadSent(work, id);
  const broker = brokers.of(work, order.venue, order.connection_id);
  const found = await broker.find(ref);
  if (found.kind !== 'found') return null;
  const named = { ...ref, venueOrderId: found.order.venueOrderId ?? ref.venueOrderId };
  const rested = found.order.status === 'open';
  if (rested) await broker.cancel(named);
  const ended = rested ? await broker.find(named) : found;
  const applied = await applyVenueReport(work, id, ended.kind === 'found' ? ended.order : found.order);
  return rested || applied.isLate ? applied : null;
}

/**
 * Counts one poll that did not find the order. Stores the added evidence in one statement; only the end of the order takes the
 * account's lock.
 */
async function recordAbsence(work: Work, sent: SentOrder, asOf: Date, proof: AbsenceProof): Promise<void> {
  const { id } = sent.ref;
  const before = storedAbsencesOf(sent.dispatch);
  const absences = absencesAfter(sent, before, asOf, proof);
  if (absences === before) return;
  if (absences.count < proof.times) return storeOrderAbsences(work, id, { before, after: absences });
  await underAccountLock(work, async (tx, now) => {
    const known = await loadSent(tx, id);
    const { count } = absencesAfter(known, storedAbsencesOf(known.dispatch), asOf, proof);
    if (known.order.status !== 'unknown' || count < proof.times) return;
    await storeOutcome(tx, now, rejectUnreceivedOrder(known.order, { actor: tx.actor, now }));
  });
}

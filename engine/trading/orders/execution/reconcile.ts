import type { AbsenceProof } from '../../../../venues/broker.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { carryOut } from '../lifecycle/transition.ts';
import { lookWithinMs } from './absence.ts';
import type { Brokers } from './brokers.ts';
import { neverArrived } from './departure.ts';
import { keepAbsences, loadSent } from './dispatch.ts';
import type { AppliedReport } from './execution-report.ts';
import { markUnknown } from './send.ts';
import { absencesAfter, absencesOf, arrivesByOf, type SentOrder } from './sent-order.ts';
import { applyAnswer } from './venue-events.ts';

/**
 * Asks the venue what became of an order without an answer, and believes it. An order the venue has not got is
 * `rejected` once that is proof: it could not arrive any more, and was looked for as often as its venue needs.
 *
 * @returns what the answer did, or null while nobody knows.
 */
export async function reconcileOrder(
  work: Work,
  brokers: Brokers,
  id: string,
): Promise<AppliedReport | null> {
  const sent = await loadSent(work, id);
  const { order, ref } = sent;
  // A look waits for no turn of its account: however busy that is, looks come in time.
  if (order.status === 'submitted') await markUnknown(work, id, 'Its sender was gone before the answer.');
  const broker = brokers.of(work, order.venue, order.connection_id);
  const found = await broker.find(ref);
  if (found.kind === 'found') return applyAnswer(work, id, found.order);
  if (found.kind === 'absent') await believeAbsence(work, sent, found.asOf, broker.absenceProof);
  return null;
}

/** How soon an order is to be looked for again, where that hastens the proof of its absence; null: it does not. */
export async function lookAgainWithinMs(work: Work, brokers: Brokers, id: string): Promise<number | null> {
  const { order, dispatch } = await loadSent(work, id);
  const arrivesBy = arrivesByOf({ order, dispatch });
  if (order.status !== 'unknown' || arrivesBy === null) return null;
  const { absenceProof } = brokers.of(work, order.venue, order.connection_id);
  const now = await work.clock(work.db);
  return lookWithinMs(absencesOf(dispatch), { now, arrivesBy }, absenceProof);
}

/** Compares an order that rests with what the venue has. Its absence there proves nothing and changes nothing. */
export async function syncOrder(work: Work, brokers: Brokers, id: string): Promise<AppliedReport | null> {
  const { order, ref } = await loadSent(work, id);
  const found = await brokers.of(work, order.venue, order.connection_id).find(ref);
  return found.kind === 'found' ? applyAnswer(work, id, found.order) : null;
}

/**
 * Looks again for an order that was given up as never received. Should its venue show it after all, it is asked back at
 * once, and what it filled is booked late.
 *
 * @returns what was done about it, or null where there is nothing new.
 */
export async function watchGivenUp(work: Work, brokers: Brokers, id: string): Promise<AppliedReport | null> {
  const { order, ref } = await loadSent(work, id);
  const broker = brokers.of(work, order.venue, order.connection_id);
  const found = await broker.find(ref);
  if (found.kind !== 'found') return null;
  const named = { ...ref, venueOrderId: found.order.venueOrderId ?? ref.venueOrderId };
  const rested = found.order.status === 'open';
  if (rested) await broker.cancel(named);
  const ended = rested ? await broker.find(named) : found;
  const applied = await applyAnswer(work, id, ended.kind === 'found' ? ended.order : found.order);
  return rested || applied.isLate ? applied : null;
}

/**
 * Takes one look that did not find the order into account. What it adds to the proof is kept in one statement; only what ends the order
 * waits for the turn of its account.
 */
async function believeAbsence(work: Work, sent: SentOrder, asOf: Date, proof: AbsenceProof): Promise<void> {
  const { id } = sent.ref;
  const before = absencesOf(sent.dispatch);
  const absences = absencesAfter(sent, before, asOf, proof);
  if (absences === before) return;
  if (absences.count < proof.times) return keepAbsences(work, id, { before, after: absences });
  await underAccountLock(work, async (tx, now) => {
    const known = await loadSent(tx, id);
    const { count } = absencesAfter(known, absencesOf(known.dispatch), asOf, proof);
    if (known.order.status !== 'unknown' || count < proof.times) return;
    const outcome = neverArrived(known.order, { actor: tx.actor, now });
    if (outcome !== null) await carryOut(tx, now, outcome);
  });
}

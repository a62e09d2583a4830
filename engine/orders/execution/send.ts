import type { Broker, BrokerOrder, Placed, Prepared, VenueOrder } from '../../../venues/broker.ts';
import { underAccountLock } from '../../account-lock.ts';
import { readLeased } from '../../connections/lease.ts';
import { isReconciled } from '../../connections/reconciled.ts';
import type { Work } from '../../context.ts';
import { closureOf } from '../../risk/passage.ts';
import { readLive } from '../../risk/read-live.ts';
import { carryOut } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import { type Sending, sendings, traceIdOfOrder } from '../observed.ts';
import { type InstrumentRow, instrumentOf, type OrderRow } from '../row.ts';
import { ARRIVE_WITHIN_MS, DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import type { Brokers } from './brokers.ts';
import { depart, type Fence, loseAnswer, type Passage, UNLEASED } from './departure.ts';
import { loadSent, recordDispatch } from './dispatch.ts';
import type { AppliedReport } from './execution-report.ts';
import { tradedInstrumentOf } from './traded-instrument.ts';
import { applyAnswer } from './venue-events.ts';

/**
 * Takes one queued order to its venue: marks it as sent and writes down the request in a first transaction, hands it
 * over outside of any, and books the answer in a second one. Whoever finds it not queued any more does nothing. An
 * answer that is lost makes it `unknown`; it is never sent again.
 *
 * @returns what the answer did, or null if there was nothing to send or no answer.
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
  switch (placed?.kind) {
    case 'taken':
      return applyAnswer(work, id, placed.order);
    case 'refused':
      return applyAnswer(work, id, rejectedAs(placed));
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
  return found.kind === 'found' ? applyAnswer(work, id, found.order) : null;
}

type Departing = {
  broker: Broker;
  order: BrokerOrder;
  prepared: Prepared;
  /** Whether this process may still send it: it may have stood still since it was cleared. */
  isHeld: () => boolean;
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
    const instrument = await readInstrument(tx, order);
    const brokerOf = () => brokers.of(tx, order.venue, order.connection_id);
    const departure = depart(
      order,
      await readFence(tx, order),
      await readWay(tx, brokers, order),
      (toSend) => brokerOf().prepare(toSend, tradedInstrumentOf(instrument), now),
      { accountId: tx.accountId, mode: tx.mode, actor: tx.actor, now },
      await readLive(tx, { ...order, connectionId: order.connection_id }, liveCaps, now),
    );
    if (departure === null) return null;
    await carryOut(tx, now, departure.outcome);
    if (departure.kind === 'stays') return null;
    await recordDispatch(tx, order, departure.prepared, {
      sentAt: now,
      leaseEpoch: departure.leaseEpoch,
    });
    const { connection_id } = order;
    const isHeld = () =>
      connection_id === null || held === undefined || held.epochOf(connection_id) === departure.leaseEpoch;
    const { order: toSend, prepared } = departure;
    return { broker: brokerOf(), order: toSend, prepared, isHeld, traceId: traceIdOfOrder(order) };
  });
}

const readInstrument = async (tx: Work, { token_id }: OrderRow): Promise<InstrumentRow> =>
  instrumentOf(
    await tx.db
      .selectFrom('instrument')
      .selectAll()
      .where('token_id', '=', token_id)
      .executeTakeFirstOrThrow(),
  );

/** The deployment that raised the order, null where none did. */
async function readFence(tx: Work, { deployment_id }: OrderRow): Promise<Fence | undefined | null> {
  if (deployment_id === null) return null;
  return tx.db
    .selectFrom('deployment as d')
    .leftJoin('deployment_state as s', (join) =>
      join.onRef('s.account_id', '=', 'd.account_id').onRef('s.deployment_id', '=', 'd.id'),
    )
    .select(['d.ended_at', 's.halted'])
    .where('d.account_id', '=', tx.accountId)
    .where('d.id', '=', deployment_id)
    .executeTakeFirst();
}

const LATER: Passage = { kind: 'later' };

/**
 * Whether the order may leave by its connection. Whose lease it is says the row, read under the account's lock: a process that
 * stood still and was replaced sends nothing.
 */
async function readWay(tx: Work, { held }: Brokers, { connection_id, side }: OrderRow): Promise<Passage> {
  if (connection_id === null || held === undefined) return UNLEASED;
  const epoch = held.epochOf(connection_id);
  if (epoch === null) return LATER;
  const row = await readLeased(tx, connection_id, epoch);
  if (row === undefined) return LATER;
  const facts = { connectionId: connection_id, state: row.state, isLiveOn: held.isLiveOn };
  const closure = closureOf(facts, side);
  if (closure !== null) return { kind: 'closed', why: { reasonCode: closure.code, reason: closure.message } };
  const isCompared = isReconciled(row.reconciled_at, held.comparedFrom(connection_id));
  return side === 'buy' && !isCompared ? LATER : { kind: 'open', leaseEpoch: epoch };
}

/** Nobody else sends what was cleared here. */
const UNSENT: Placed = {
  kind: 'refused',
  code: 'lease_lost',
  reason: 'It was not sent: another process trades through the connection by now.',
};

/** The venue's answer, or null where none came in time: whatever a broker throws proves nothing. */
async function placeWithin({ broker, order, prepared, isHeld }: Departing): Promise<Placed | null> {
  if (!isHeld()) return UNSENT;
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
    const outcome = loseAnswer(await loadOrder(tx, id), reason, { actor: tx.actor, now });
    if (outcome !== null) await carryOut(tx, now, outcome);
  });
}

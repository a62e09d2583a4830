import type { Broker, Placed } from '../../../venues/broker.ts';

const UNSENT: Placed = {
  kind: 'refused',
  code: 'lease_lost',
  reason: 'It was not sent: another process trades through the connection by now.',
};

/**
 * A broker as the work on orders gets it: whatever else it does, nothing new leaves once its lease may be over. The look is right
 * before the call, because a process may stand still anywhere before it.
 */
export function guarded(brokerOf: () => Broker, isHeld: () => boolean): Broker {
  const broker = brokerOf();
  return {
    absenceProof: broker.absenceProof,
    prepare: (order, instrument, now) => broker.prepare(order, instrument, now),
    place: async (order, prepared) => (isHeld() ? brokerOf().place(order, prepared) : UNSENT),
    cancel: (ref) => broker.cancel(ref),
    find: (ref) => broker.find(ref),
    listOpen: () => broker.listOpen(),
    fillsSince: (cursor) => broker.fillsSince(cursor),
    positions: () => broker.positions(),
    balances: () => broker.balances(),
    status: () => broker.status(),
    cancelAll: () => broker.cancelAll(),
  };
}

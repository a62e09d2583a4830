import { type BrokerHarness, describeBroker } from './broker-conformance.ts';
import { openMember } from './support/polymarket-member.ts';

async function openVenueB(): Promise<BrokerHarness> {
  const member = await openMember();
  const { broker, simulatedVenue, exchange } = member;
  /** The venue knows no client order ids: an order is identified by its prepared hash. */
  const hashes = new Map<string, string | null>();
  const prepare = broker.prepare.bind(broker);
  broker.prepare = (order, instrument, now) => {
    const preparation = prepare(order, instrument, now);
    if (preparation.kind === 'prepared') hashes.set(order.id, preparation.prepared.venueOrderId);
    return preparation;
  };
  return {
    broker,
    instrument: member.instrument,
    order: member.orderOf,
    now: member.now,
    wait: member.pass,
    async fill(order, amount) {
      member.meet(order, amount);
    },
    lose(what) {
      const isProcessed = what === 'answer';
      simulatedVenue.faults.add({ method: 'POST', path: 'order', isProcessed, answer: 'cut' });
    },
    async countAtVenue(clientOrderId) {
      return [...exchange.orders.keys()].filter((id) => id === hashes.get(clientOrderId)).length;
    },
    garble(order) {
      const found = [...exchange.orders.values()].at(-1);
      if (found === undefined || found.instrument !== order.tokenId) throw new Error('it is not there');
      Object.assign(found.tags, { status: 'PAUSED' });
    },
    close: () => member[Symbol.asyncDispose](),
  };
}

describeBroker('venue B', openVenueB);

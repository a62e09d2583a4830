import { Decimal } from 'decimal.js';
import { TICK_MS } from '../../simulator/index.ts';
import { type BrokerHarness, describeBroker } from './broker-conformance.ts';
import { CREATE, MARS, member, orderOf } from './support/kalshi-trading.ts';

async function openKalshi(): Promise<BrokerHarness> {
  const venue = await member();
  const { simulator, exchange, simulatedVenue, broker } = venue;
  const there = (clientOrderId: string) =>
    venue.ordersThere().filter((order) => order.clientOrderId === clientOrderId);
  const only = (clientOrderId: string) => {
    const [order] = there(clientOrderId);
    if (order === undefined) throw new Error(`the venue has no order ${clientOrderId}`);
    return order;
  };
  return {
    broker,
    instrument: await venue.instrumentOf(`${MARS}:yes`),
    order: (more) => orderOf({ validUntil: new Date(simulator.clock.now() + 10_000), ...more }),
    now: () => new Date(simulator.clock.now()),
    wait: (ms) => simulator.clock.advance(Math.ceil(ms / TICK_MS)),
    fill: async ({ id }, amount) => exchange.fillResting(only(id), new Decimal(amount)),
    lose: (what) => simulatedVenue.faults.add({ ...CREATE, isProcessed: what === 'answer', answer: 'cut' }),
    countAtVenue: async (id) => there(id).length,
    garble: async ({ id }) => {
      const { order } = await venue.read(`/portfolio/orders/${only(id).id}`);
      const body = { order: { ...(order as object), status: 'dormant' } };
      simulatedVenue.faults.add({
        method: 'GET',
        path: 'trade-api/v2/portfolio/orders/',
        answer: { status: 200, body },
      });
    },
    close: () => venue[Symbol.asyncDispose](),
  };
}

describeBroker('venue A', openKalshi);

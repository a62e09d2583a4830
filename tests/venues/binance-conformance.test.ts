import { describeBroker } from './broker-conformance.ts';
import { openExchange } from './support/binance-exchange.ts';
import { BTCUSDT } from './support/binance-trading.ts';

for (const kind of ['hmac', 'ed25519'] as const) {
  describeBroker(`Binance (${kind})`, async () => {
    const exchange = await openExchange({ kind, environment: 'testnet' });
    const { broker, simulatedVenue, simulator, atVenue } = exchange;
    return {
      broker,
      instrument: BTCUSDT,
      order: exchange.order,
      now: exchange.now,
      wait: (ms) => simulator.clock.advance(Math.ceil(ms / 1_000)),
      fill: exchange.trade,
      lose: (what) => {
        simulatedVenue.faults.add({
          method: 'POST',
          path: 'api/v3/order',
          isProcessed: what === 'answer',
          answer: 'cut',
        });
      },
      countAtVenue: async (id) => atVenue(id).length,
      garble: ({ id }) => {
        const [order] = atVenue(id);
        simulatedVenue.faults.add({
          method: 'GET',
          path: 'api/v3/order',
          clientOrderId: id,
          answer: {
            status: 200,
            body: {
              symbol: 'BTCUSDT',
              orderId: Number(order?.id),
              clientOrderId: id,
              price: '50000',
              origQty: '0.01',
              executedQty: '0',
              side: 'BUY',
              status: 'HALF_OPEN',
              time: simulator.clock.now(),
            },
          },
        });
      },
      close: () => simulator.close(),
    };
  });
}

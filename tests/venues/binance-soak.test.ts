/** Row 110, as far as it is the adapter's: many orders, faults at random, and the venue's own record at the end. */
import { describe, expect, test } from 'vitest';
import type { TradingFault } from '../../simulator/trading/fault-plan.ts';
import { stateOf } from '../../simulator/trading/orders.ts';
import type { BrokerOrder, FindResult, PlaceResult, Prepared, VenueOrder } from '../../venues/broker.ts';
import { openExchange, refOf } from './support/binance-exchange.ts';

const ORDERS = 100;
const FAULTS: readonly TradingFault[] = [
  { isProcessed: false, answer: 'cut' },
  { answer: 'cut' },
  { answer: 'half' },
  { answer: 'html' },
  { isProcessed: false, answer: 'html' },
  { answer: { status: 421, body: {} } },
  { answer: { status: 504, body: { code: -1007, msg: 'Timeout' } } },
];

/** A stream of numbers from 0 to 1 that is the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('row 110: of orders through lost requests and answers', () => {
  test.each([1, 2, 3])(
    'none is doubled, none lost, each ends as the venue says (seed %i)',
    async (seed) => {
      await using exchange = await openExchange();
      const { broker, simulatedVenue, simulator, venue, account } = exchange;
      const next = numbersFrom(seed);
      const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
      const sometimes = () => {
        if (next() < 0.3)
          simulatedVenue.faults.add({ ...pick(FAULTS), method: pick(['GET', 'POST', 'DELETE']) });
      };
      const placed = new Map<
        string,
        { order: BrokerOrder; prepared: Prepared; answer: PlaceResult | null }
      >();

      for (let count = 0; count < ORDERS; count += 1) {
        const isIoc = next() < 0.4;
        const order = exchange.order({
          amount: '0.002',
          ...(isIoc && { timeInForce: 'ioc', limitPrice: '200000' }),
        });
        const prepared = exchange.prepare(order);
        sometimes();
        const answer = await broker.place(order, prepared).catch(() => null);
        placed.set(order.id, { order, prepared, answer });
        if (!isIoc && next() < 0.5) await exchange.trade(order, next() < 0.5 ? '0.001' : '0.002');
        if (!isIoc && next() < 0.3) await broker.cancel(refOf(order, prepared)).catch(() => null);
        if (next() < 0.1) simulator.clock.advance(1);
      }
      simulatedVenue.faults.clear();
      // Everything that was sent has arrived or cannot any more.
      simulator.clock.advance(30);
      await expect
        .poll(
          () =>
            broker.status().then(
              () => true,
              () => false,
            ),
          { timeout: 10_000, interval: 200 },
        )
        .toBe(true);

      for (const { order, prepared, answer } of placed.values()) {
        const atVenue = exchange.atVenue(order.id);
        expect(atVenue.length).toBeLessThanOrEqual(1);
        const [truth] = atVenue;
        if (answer?.kind === 'refused') expect(truth, answer.code).toBeUndefined();
        const found: FindResult = await broker.find(refOf(order, prepared));
        if (truth === undefined) {
          expect(found.kind === 'absent' && found.asOf > prepared.arrivesBy).toBe(true);
          continue;
        }
        const reported = found.kind === 'found' ? found.order : null;
        const { status, filled } = stateOf(truth);
        expect(reported).toMatchObject({
          status,
          filledAmount: filled.toFixed(),
        } satisfies Partial<VenueOrder>);
        expect(reported?.fills.map(({ tradeId }) => tradeId).sort()).toEqual(
          truth.fills.map(({ id }) => `BTCUSDT:${id}`).sort(),
        );
      }
      const { fills } = await broker.fillsSince(null);
      expect(fills.map(({ tradeId }) => tradeId).sort()).toEqual(
        venue.exchange.fills
          .filter((fill) => fill.order.account === account)
          .map(({ id }) => `BTCUSDT:${id}`)
          .sort(),
      );
    },
    60_000,
  );
});

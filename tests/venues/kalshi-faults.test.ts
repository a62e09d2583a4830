/** Row 110 for venue A's broker alone: many orders under all faults. In the end the adapter reports the venue's own state. */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import type { TradingFault } from '../../simulator/trading/fault-plan.ts';
import { stateOf } from '../../simulator/trading/orders.ts';
import { keyedRandom } from '../../simulator/world/keyed-random.ts';
import type { OrderRef, VenueOrder } from '../../venues/broker.ts';
import { CREATE, found, MARS, member } from './support/kalshi-trading.ts';

const ORDERS = 60;
const FAULTS: readonly TradingFault[] = [
  { answer: 'cut' },
  { answer: 'cut', isProcessed: false },
  { answer: 'hang' },
  { answer: 'html' },
  { answer: 'html', isProcessed: false },
  { answer: 'half' },
  { answer: { status: 503, body: { error: { code: 'service_unavailable' } } }, isProcessed: false },
  { answer: { status: 201, body: {} } },
  { answer: 'too-many', isProcessed: false },
  { delayMs: 9_000 },
  { delayMs: 59_000 },
];
const CANCEL_FAULTS: readonly TradingFault[] = [
  { method: 'DELETE', answer: 'cut' },
  { method: 'DELETE', isProcessed: false, answer: 'html' },
];
const READS = { method: 'GET', path: 'trade-api/v2/portfolio' } as const;
const READ_FAULTS: readonly TradingFault[] = [
  { ...READS, answer: 'html' },
  { ...READS, answer: 'cut' },
  { ...READS, answer: { status: 200, body: {} } },
];

type Member = Awaited<ReturnType<typeof member>>;
type Result = { ref: OrderRef; outcome: VenueOrder | 'refused' | 'absent' };

/** Like the reconciler: polls until there is an answer, and accepts an absence only by the port's absence proof. */
async function resolve(venue: Member, ref: OrderRef): Promise<VenueOrder | 'absent'> {
  const { times, apartMs } = venue.broker.absenceProof;
  const arrivesMs = ref.prepared?.arrivesBy.getTime() ?? 0;
  let proofs: number[] = [];
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const found = await venue.broker.find(ref).catch(() => ({ kind: 'unsure' as const }));
    if (found.kind === 'found') return found.order;
    const asOfMs = found.kind === 'absent' ? found.asOf.getTime() : 0;
    if (asOfMs > arrivesMs && asOfMs - (proofs.at(-1) ?? 0) >= apartMs) proofs = [...proofs, asOfMs];
    if (proofs.length >= times) return 'absent';
    venue.simulator.clock.advance(5);
  }
  return expect.unreachable(`nothing became of ${ref.id}`);
}

async function trade(venue: Member, key: number): Promise<Result[]> {
  const results: Result[] = [];
  for (let count = 0; count < ORDERS; count += 1) {
    const chance = (salt: number) => keyedRandom(key + salt, count);
    const fault = FAULTS[Math.floor(chance(1) * FAULTS.length)];
    if (chance(2) < 0.3 && fault !== undefined) venue.simulatedVenue.faults.add({ ...CREATE, ...fault });
    const readFault = READ_FAULTS[Math.floor(chance(3) * READ_FAULTS.length)];
    if (chance(4) < 0.1 && readFault !== undefined) venue.simulatedVenue.faults.add(readFault);
    const isTaker = chance(5) < 0.5;
    const amount = String(1 + Math.floor(chance(6) * 5));
    const isSell = venue.account.holds(MARS).greaterThan(5) && chance(7) < 0.3;
    const { ref, answer } = await venue.place({
      side: isSell ? 'sell' : 'buy',
      amount,
      limitPrice: isTaker === isSell ? '0.01' : '0.99',
      timeInForce: isTaker ? 'ioc' : 'gtc',
    });
    const placed = await answer.catch(() => null);
    // Trading continues: the world moves, and some resting orders are filled or canceled.
    const [oldest] = venue.exchange.openOrders(venue.account);
    if (oldest !== undefined && chance(8) < 0.4) venue.exchange.fillResting(oldest, new Decimal(1));
    const cancelFault = CANCEL_FAULTS[Math.floor(chance(9) * 4)];
    if (cancelFault !== undefined) venue.simulatedVenue.faults.add(cancelFault);
    const earlier = results[Math.floor(chance(10) * results.length)];
    if (earlier !== undefined && chance(11) < 0.3) await venue.broker.cancel(earlier.ref).catch(() => null);
    venue.simulator.clock.advance(2);
    if (placed?.kind === 'refused') results.push({ ref, outcome: 'refused' });
    else results.push({ ref, outcome: await resolve(venue, ref) });
  }
  venue.simulatedVenue.faults.clear();
  return results;
}

describe('row 110: venue A with faults in every third create, every second cancel and every tenth read', () => {
  test.each([1, 2, 3])(
    'world %i: no order twice, no fill lost, none invented',
    { tags: ['long'] },
    async (key) => {
      await using venue = await member({ placeTimeoutMs: 60, readLagMs: 400 });
      const results = await trade(venue, key);
      venue.simulator.clock.advance(2);
      for (const { ref, outcome: last } of results) {
        const there = venue.ordersThere().filter(({ clientOrderId }) => clientOrderId === ref.id);
        const [only] = there;
        if (last === 'refused' || last === 'absent') {
          expect(there, `${ref.id} was ${last}`).toEqual([]);
          continue;
        }
        expect(there, ref.id).toHaveLength(1);
        if (only === undefined) return;
        const now = await venue.broker.find(ref);
        const order = now.kind === 'found' ? now.order : expect.unreachable(now.kind);
        expect(order.filledAmount).toBe(stateOf(only).filled.toFixed());
        expect(order.fills.map(({ tradeId }) => tradeId).sort()).toEqual(
          only.fills.map(({ id }) => id).sort(),
        );
        const sum = (values: readonly string[]) => Decimal.sum(0, ...values).toFixed();
        expect(sum(order.fills.map(({ fee }) => fee))).toBe(sum(only.fills.map(({ fee }) => fee.toFixed())));
      }
      await venue.broker.cancelAll();
      venue.simulator.clock.advance(2);
      const { fills } = await venue.broker.fillsSince(null);
      const paid = fills.map(({ side, amount, price, fee }) =>
        new Decimal(amount)
          .times(price)
          .times(side === 'buy' ? 1 : -1)
          .plus(fee),
      );
      const held = fills.map(({ side, amount }) => (side === 'buy' ? amount : `-${amount}`));
      expect(Decimal.sum(0, ...held).toFixed()).toBe(venue.account.holds(MARS).toFixed());
      expect(Decimal.sum(0, ...paid).toFixed()).toBe(
        new Decimal(1_000).minus(venue.account.holds('USD/0')).toFixed(),
      );
      const [usd] = await venue.broker.balances();
      expect(usd?.total).toBe(venue.account.holds('USD/0').toFixed());
    },
  );
});

test('an order that venue A refuses and takes all the same is listed, found and canceled by our id', async () => {
  await using venue = await member();
  const body = { error: { code: 'insufficient_balance' } };
  venue.simulatedVenue.faults.add({ ...CREATE, answer: { status: 400, body } });
  const { ref, answer } = await venue.place();
  expect(await answer).toMatchObject({ kind: 'refused' });
  expect(await venue.broker.listOpen()).toMatchObject([{ clientOrderId: ref.id }]);
  const { venueOrderId } = found(await venue.broker.find(ref));
  await venue.broker.cancel({ ...ref, venueOrderId });
  expect(await venue.broker.find(ref)).toMatchObject({ order: { status: 'canceled' } });
});

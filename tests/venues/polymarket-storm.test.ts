/**
 * Row 110 for venue B's broker alone: many orders, random faults of every kind, and in the end the same books as the venue's.
 */
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import type { TradingFault } from '../../simulator/trading/fault-plan.ts';
import { keyedRandom } from '../../simulator/world/keyed-random.ts';
import type { OrderRef, VenueOrder } from '../../venues/broker.ts';
import { openMember } from './support/polymarket-member.ts';

const SECOND_MS = 1_000;
const ORDERS = 60;
const FAULT_SHARE = 0.3;
const FINAL = ['filled', 'canceled', 'expired', 'rejected'];

const FAULTS: readonly TradingFault[] = [
  { path: 'order', isProcessed: false, answer: 'cut' },
  { path: 'order', answer: 'cut' },
  { path: 'order', answer: 'half' },
  { path: 'order', answer: 'html' },
  { path: 'order', answer: 'too-many' },
  { path: 'order', isProcessed: false, answer: { status: 500, body: { error: 'Internal server error' } } },
  { path: 'order', isProcessed: false, answer: { status: 425, body: { error: 'service is restarting' } } },
  { path: 'data/order', answer: 'html' },
  { path: 'data/trades', answer: 'half' },
  { path: 'data/', times: 2, date: 'absent' },
];

type Placed = { readonly ref: OrderRef; isRefused: boolean };

describe.each([1, 2, 3, 4])('row 110, with seed %s:', (seed) => {
  test('no order twice, no fill lost, the same money and the same shares as the venue', {
    tags: ['long'],
  }, async () => {
    await using member = await openMember({ balance: '100000' });
    const { broker, exchange, account } = member;
    let draws = 0;
    const chance = () => {
      draws += 1;
      return keyedRandom(seed, draws);
    };
    const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
    const quietly = (call: Promise<unknown>) => call.catch(() => undefined);

    const placed: Placed[] = [];
    for (let count = 0; count < ORDERS; count += 1) {
      if (chance() < FAULT_SHARE) member.simulatedVenue.faults.add(pick(FAULTS));
      const isSell = account.holds(member.yes).greaterThan(20) && chance() < 0.3;
      const order = member.orderOf({
        side: isSell ? 'sell' : 'buy',
        timeInForce: chance() < 0.5 ? 'ioc' : 'gtc',
        limitPrice: new Decimal(300 + Math.floor(chance() * 400)).div(1_000).toFixed(),
        amount: String(5 + Math.floor(chance() * 15)),
      });
      const prepared = member.prepare(order);
      const answer = await broker.place(order, prepared).catch(() => null);
      const ref = member.refOf(order, prepared, answer ?? undefined);
      placed.push({ ref, isRefused: answer?.kind === 'refused' });
      if (chance() < 0.2) await quietly(broker.cancel(pick(placed).ref));
      if (chance() < 0.4) member.walk(0.3 + chance() * 0.4);
      await member.pass(Math.floor(chance() * 4) * SECOND_MS);
      const [fresh] = [...exchange.fills].reverse();
      if (fresh !== undefined && fresh.order.account === account && chance() < 0.05) {
        member.commands['trades']?.({ trade: fresh.id, status: 'FAILED' });
      }
    }
    member.simulatedVenue.faults.clear();
    await broker.cancelAll();

    const known = new Map<string, VenueOrder | null>();
    for (let look = 0; look < 20 && known.size < ORDERS; look += 1) {
      await member.pass(10 * SECOND_MS);
      for (const { ref, isRefused } of placed) {
        if (known.has(ref.id)) continue;
        const found = await broker.find(ref);
        if (found.kind === 'found' && FINAL.includes(found.order.status)) known.set(ref.id, found.order);
        const isProof =
          found.kind === 'absent' && ref.prepared !== null && found.asOf > ref.prepared.arrivesBy;
        if (isRefused || isProof) known.set(ref.id, null);
      }
    }
    expect(known.size, 'every order has an end').toBe(ORDERS);

    const reported = [...known.values()].flatMap((order) => order ?? []);
    const atVenue = [...exchange.orders.values()].filter((order) => order.account === account);
    expect(reported.map(({ venueOrderId }) => venueOrderId).sort()).toEqual(
      atVenue.map(({ id }) => id).sort(),
    );

    const listed = (await broker.fillsSince(null)).fills;
    const byOrder = reported.flatMap(({ fills, venueOrderId }) =>
      fills.map((fill) => `${venueOrderId}/${fill.tradeId}/${fill.state}`),
    );
    expect(byOrder.sort()).toEqual(
      listed.map((fill) => `${fill.venueOrderId}/${fill.tradeId}/${fill.state}`).sort(),
    );
    expect(listed.some(({ state }) => state === 'final')).toBe(true);

    const booked = listed.filter(({ state }) => state !== 'failed');
    const sum = (of: (fill: (typeof booked)[number]) => Decimal) =>
      booked.reduce((total, fill) => total.plus(of(fill)), new Decimal(0));
    const signed = (fill: (typeof booked)[number]) =>
      new Decimal(fill.amount).times(fill.side === 'buy' ? 1 : -1);
    expect(sum(signed).toFixed()).toBe(account.holds(member.yes).toFixed());
    const money = new Decimal(100_000).minus(sum((fill) => signed(fill).times(fill.price).plus(fill.fee)));
    expect(money.toDecimalPlaces(6).toFixed()).toBe(account.holds('pUSD').toDecimalPlaces(6).toFixed());
  });
});

import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Exchange, type Rules } from '../../simulator/trading/exchange.ts';
import { type OrderDraft, stateOf, type WorldBook } from '../../simulator/trading/orders.ts';
import { WorldClock } from '../../simulator/world/world-clock.ts';

const ONE = new Decimal(1);
const level = (price: number, size: number) => ({ price: new Decimal(price), size: new Decimal(size) });
const START = 1_000;

/** A world whose offers approach by a cent per minute and change size every ten seconds. */
const worldAt = (tickMs: number): WorldBook => {
  const minute = Math.floor((tickMs / 1_000 - START) / 60);
  const size = 3 + (Math.floor(tickMs / 10_000) % 3);
  return {
    bids: [level(0.4, size), level(0.39, 50)],
    asks: [level(0.6 - minute / 100, size), level(0.61 - minute / 100, 5)],
  };
};

function opened(bookAt: Rules['bookAt'] = (_, tickMs) => worldAt(tickMs)) {
  const clock = new WorldClock();
  clock.pin(START);
  const rules: Rules = {
    bookAt,
    endOf: () => null,
    book: ({ id, order, price, amount, atMs }, account) => {
      const signed = order.side === 'buy' ? amount : amount.negated();
      const entry = { atMs, kind: 'trade', ref: id } as const;
      exchange.post(account, { ...entry, asset: order.instrument, amount: signed });
      exchange.post(account, { ...entry, asset: 'USD', amount: signed.times(price).negated() });
      return { fee: new Decimal(0), feeAsset: 'USD' };
    },
  };
  const exchange = new Exchange('test', rules, clock);
  const account = exchange.openAccount({ id: 'a', environment: 'demo' });
  const place = (draft: Partial<OrderDraft>) =>
    exchange.place({
      account,
      clientOrderId: 'c',
      instrument: 'X',
      side: 'buy',
      price: new Decimal('0.6'),
      amount: ONE,
      timeInForce: 'GTC',
      ...draft,
    });
  return { exchange, clock, account, place };
}

const filledOf = (order: Parameters<typeof stateOf>[0]) => stateOf(order).filled.toNumber();

describe('a simulated exchange', () => {
  test('fills a taker at the prices it hits, best first, and ends the rest of an immediate order', () => {
    const { place } = opened();
    const order = place({ amount: new Decimal(20), price: new Decimal('0.61'), timeInForce: 'IOC' });
    expect(order.fills.map(({ price, amount }) => [price.toNumber(), amount.toNumber()])).toEqual([
      [0.6, 4],
      [0.61, 5],
    ]);
    expect(stateOf(order)).toMatchObject({ status: 'canceled', reason: 'time_in_force' });
  });

  test('gives an amount taken from a level to no other order, until that level shows another size', () => {
    const { place, clock } = opened();
    expect(filledOf(place({ amount: new Decimal(4) }))).toBe(4);
    expect(filledOf(place({ timeInForce: 'IOC' }))).toBe(0);
    clock.advance(10);
    expect(filledOf(place({ timeInForce: 'IOC' }))).toBe(1);
  });

  test('fills a large resting order in parts as time passes, at its own price', () => {
    const { place, clock, exchange } = opened();
    const order = place({ amount: new Decimal(10) });
    clock.advance(20);
    exchange.advance();
    expect(order.fills.map(({ amount }) => amount.toNumber())).toEqual([4, 5, 1]);
    expect(order.fills.map(({ liquidity }) => liquidity)).toEqual(['taker', 'maker', 'maker']);
    expect(stateOf(order).status).toBe('filled');
  });

  test('serves the better price first, at one price the older order', () => {
    const { exchange, place } = opened(() => ({ bids: [], asks: [] }));
    const other = exchange.openAccount({ id: 'b', environment: 'demo' });
    const low = place({ price: new Decimal('0.5') });
    const early = place({});
    const late = place({ account: other });
    place({ account: null, side: 'sell', price: new Decimal('0.1'), amount: new Decimal(2) });
    expect([low, early, late].map(filledOf)).toEqual([0, 1, 1]);
  });

  test('fills all or nothing on request, and states the fillable amount beforehand', () => {
    const { place } = opened();
    expect(filledOf(place({ amount: new Decimal(5), timeInForce: 'FOK' }))).toBe(0);
    expect(filledOf(place({ amount: new Decimal(4), timeInForce: 'FOK' }))).toBe(4);
  });

  test('lets no account trade with itself', () => {
    const { place } = opened(() => ({ bids: [], asks: [] }));
    const resting = place({});
    const taker = place({ side: 'sell', price: new Decimal('0.5') });
    expect(stateOf(taker)).toMatchObject({ status: 'canceled', reason: 'self_trade' });
    expect(stateOf(resting).status).toBe('open');
    place({ side: 'sell', price: new Decimal('0.5'), selfTrade: 'maker' });
    expect(stateOf(resting)).toMatchObject({ status: 'canceled', reason: 'self_trade' });
  });

  test('stores every past state, so that reads can lag', () => {
    const { place, clock, account, exchange } = opened();
    place({ amount: new Decimal(2) });
    const before = exchange.now();
    clock.advance(30);
    place({ amount: new Decimal(1) });
    expect(account.holds('X').toNumber()).toBe(3);
    expect(account.holds('X', before).toNumber()).toBe(2);
    expect(
      account
        .holdings(before - 1)
        .get('X')
        ?.toNumber(),
    ).toBe(0);
  });

  test('does the same for any number of requests in between', () => {
    const orders = fc.array(
      fc.record({ afterSec: fc.integer({ min: 0, max: 90 }), amount: fc.integer({ min: 1, max: 30 }) }),
      { minLength: 1, maxLength: 5 },
    );
    const run = (list: { afterSec: number; amount: number }[], isAskedOften: boolean) => {
      const { place, clock, exchange } = opened();
      for (const { afterSec, amount } of list) {
        place({ amount: new Decimal(amount), price: new Decimal('0.58') });
        for (let second = 0; isAskedOften && second < afterSec; second += 1) {
          clock.advance(1);
          exchange.advance();
        }
        if (!isAskedOften) clock.advance(afterSec);
      }
      exchange.advance();
      return exchange.fills.map(({ id, price, amount, atMs }) => [
        id,
        price.toFixed(),
        amount.toFixed(),
        atMs,
      ]);
    };
    fc.assert(
      fc.property(orders, (list) => {
        expect(run(list, true)).toEqual(run(list, false));
      }),
      { numRuns: 30 },
    );
  });
});

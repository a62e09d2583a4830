import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, ZERO } from '../../../engine/decimal.ts';
import {
  byPriority,
  type Execution,
  meetCandle,
  meetResting,
  type Offer,
  type PaperDemand,
  reaches,
  takeOffers,
} from '../../../engine/orders/paper/match.ts';

const demand = (side: 'buy' | 'sell', limitPrice: string, left: string): PaperDemand => ({
  side,
  limitPrice: exact(limitPrice),
  left: exact(left),
});
const offers = (...levels: [string, string][]): Offer[] =>
  levels.map(([price, size]) => ({ price: exact(price), size: exact(size) }));
const shown = (executions: readonly Execution[]) =>
  executions.map(({ price, amount, offerPrice }) => [
    price.toFixed(),
    amount.toFixed(),
    offerPrice.toFixed(),
  ]);
const NONE = new Map();

describe('an arriving order', () => {
  test('takes the offers best first, each at its own price, up to its limit', () => {
    const asks = offers(['0.50', '4'], ['0.51', '3'], ['0.53', '9']);
    expect(shown(takeOffers(demand('buy', '0.52', '10'), asks, NONE))).toEqual([
      ['0.5', '4', '0.5'],
      ['0.51', '3', '0.51'],
    ]);
  });
  test('stops when it is full', () => {
    expect(shown(takeOffers(demand('buy', '0.52', '5'), offers(['0.5', '4'], ['0.51', '3']), NONE))).toEqual([
      ['0.5', '4', '0.5'],
      ['0.51', '1', '0.51'],
    ]);
  });
  test('sells to bids at its limit or above', () => {
    expect(
      shown(
        takeOffers(demand('sell', '0.48', '5'), offers(['0.49', '2'], ['0.48', '2'], ['0.47', '9']), NONE),
      ),
    ).toEqual([
      ['0.49', '2', '0.49'],
      ['0.48', '2', '0.48'],
    ]);
  });
  test('finds nothing where nothing is offered, or nothing within its limit', () => {
    expect(takeOffers(demand('buy', '0.5', '1'), [], NONE)).toEqual([]);
    expect(takeOffers(demand('buy', '0.49', '1'), offers(['0.5', '4']), NONE)).toEqual([]);
  });
  test('does not take again what the account took of the same offers', () => {
    const taken = new Map([
      ['0.5', exact(4)],
      ['0.51', exact(1)],
    ]);
    expect(
      shown(takeOffers(demand('buy', '0.52', '5'), offers(['0.50', '4'], ['0.51', '3']), taken)),
    ).toEqual([['0.51', '2', '0.51']]);
  });

  test('never trades worse than its limit, more than it wants, or more than is offered at a price', () => {
    const levels = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([cents]) => cents,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.constantFrom('buy', 'sell'),
        levels,
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 30 }),
        (side, book, limit, left) => {
          const sorted = [...book].sort(([a], [b]) => (side === 'buy' ? a - b : b - a));
          const levelsOf = sorted.map(([cents, size]) => ({
            price: exact(cents).div(100),
            size: exact(size),
          }));
          const limitPrice = exact(limit).div(100);
          const executions = takeOffers({ side, limitPrice, left: exact(left) }, levelsOf, NONE);
          const total = executions.reduce((sum, { amount }) => sum.plus(amount), ZERO);
          const within = levelsOf.filter(({ price }) => reaches(side, limitPrice, price));
          const offered = within.reduce((sum, { size }) => sum.plus(size), ZERO);
          expect(total.toFixed()).toBe(offered.lt(left) ? offered.toFixed() : String(left));
          for (const { price, amount } of executions) {
            expect(reaches(side, limitPrice, price)).toBe(true);
            expect(amount.lte(levelsOf.find((level) => level.price.eq(price))?.size ?? 0)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('a resting order', () => {
  test('trades at its own limit when an offer reaches it, and no more than is offered', () => {
    const met = meetResting(demand('buy', '0.5', '10'), { price: exact('0.48'), size: exact(4) }, NONE);
    expect(met && shown([met])).toEqual([['0.5', '4', '0.48']]);
    const exactly = meetResting(demand('sell', '0.5', '3'), { price: exact('0.5'), size: exact(4) }, NONE);
    expect(exactly && shown([exactly])).toEqual([['0.5', '3', '0.5']]);
  });
  test('waits while no offer reaches it, or all of it is taken', () => {
    expect(meetResting(demand('buy', '0.5', '1'), { price: exact('0.51'), size: exact(4) }, NONE)).toBeNull();
    expect(
      meetResting(demand('sell', '0.5', '1'), { price: exact('0.49'), size: exact(4) }, NONE),
    ).toBeNull();
    const taken = new Map([['0.5', exact(4)]]);
    expect(meetResting(demand('buy', '0.5', '1'), { price: exact('0.5'), size: exact(4) }, taken)).toBeNull();
  });
});

describe('a resting order and a closed candle', () => {
  const candle = { low: exact(95), high: exact(105), volume: exact(50) };
  const step = exact('0.1');
  test('is traded through strictly: at the limit itself others may have been first', () => {
    expect(meetCandle(demand('buy', '95', '1'), candle, NONE, step)).toBeNull();
    expect(meetCandle(demand('sell', '105', '1'), candle, NONE, step)).toBeNull();
    const bought = meetCandle(demand('buy', '95.01', '1'), candle, NONE, step);
    expect(bought && shown([bought])).toEqual([['95.01', '1', '95.01']]);
    const sold = meetCandle(demand('sell', '104.99', '1'), candle, NONE, step);
    expect(sold && shown([sold])).toEqual([['104.99', '1', '104.99']]);
  });
  test("takes at most a tenth of the candle's volume, on the step, over all of the account's orders", () => {
    expect(meetCandle(demand('buy', '100', '9'), candle, NONE, step)?.amount.toFixed()).toBe('5');
    const thin = { ...candle, volume: exact('5.55') };
    expect(meetCandle(demand('buy', '100', '9'), thin, NONE, step)?.amount.toFixed()).toBe('0.5');
    const taken = new Map([
      ['100', exact(4)],
      ['99', exact(1)],
    ]);
    expect(meetCandle(demand('buy', '100', '9'), candle, taken, step)).toBeNull();
  });
});

describe('priority', () => {
  const order = (id: string, side: 'buy' | 'sell', limit: string, placedMs: number) => ({
    id,
    side,
    limitPrice: exact(limit),
    placedAt: new Date(placedMs),
  });
  test('is price, then time, then id', () => {
    const buys = [
      order('d', 'buy', '1', 0),
      order('c', 'buy', '2', 5),
      order('b', 'buy', '2', 3),
      order('a', 'buy', '2', 5),
    ];
    expect(buys.sort(byPriority).map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd']);
    expect(
      [order('z', 'buy', '1', 0), order('y', 'buy', '1', 0)].sort(byPriority).map(({ id }) => id),
    ).toEqual(['y', 'z']);
    expect(
      [order('y', 'buy', '1', 0), order('z', 'buy', '1', 0)].sort(byPriority).map(({ id }) => id),
    ).toEqual(['y', 'z']);
    const sells = [order('x', 'sell', '2', 0), order('y', 'sell', '1', 5)];
    expect(sells.sort(byPriority).map(({ id }) => id)).toEqual(['y', 'x']);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, ZERO } from '../../../../engine/platform/decimal.ts';
import {
  byPriority,
  type Execution,
  isWithinLimit,
  matchCandle,
  matchOffer as meetInSteps,
  type Offer,
  type PaperDemand,
  takeOffers as takeInSteps,
} from '../../../../engine/trading/orders/paper/match-rules.ts';

const demand = (side: 'buy' | 'sell', limitPrice: string, left: string): PaperDemand => ({
  side,
  limitPrice: exact(limitPrice),
  left: exact(left),
});
const ONE = exact(1);
const takeOffers = (wanted: PaperDemand, offered: readonly Offer[]) => takeInSteps(wanted, offered, ONE);
const meetOffer = (wanted: PaperDemand, offer: Offer) => meetInSteps(wanted, offer, ONE);
const offers = (...levels: [string, string][]): Offer[] =>
  levels.map(([price, size]) => ({ price: exact(price), size: exact(size) }));
const plainTrades = (executions: readonly Execution[]) =>
  executions.map(({ price, amount }) => [price.toFixed(), amount.toFixed()]);

describe('an arriving order', () => {
  test('takes the offers best first, each at its own price, up to its limit', () => {
    const asks = offers(['0.50', '4'], ['0.51', '3'], ['0.53', '9']);
    expect(plainTrades(takeOffers(demand('buy', '0.52', '10'), asks))).toEqual([
      ['0.5', '4'],
      ['0.51', '3'],
    ]);
  });
  test('takes no part of a step of an offer, and all of the rest if enough is offered', () => {
    expect(
      plainTrades(takeOffers(demand('buy', '0.52', '10'), offers(['0.5', '3.7'], ['0.51', '5.25']))),
    ).toEqual([
      ['0.5', '3'],
      ['0.51', '5'],
    ]);
    expect(takeOffers(demand('buy', '0.52', '10'), offers(['0.5', '0.9']))).toEqual([]);
    expect(plainTrades(takeOffers(demand('buy', '0.52', '2.5'), offers(['0.5', '3.7'])))).toEqual([
      ['0.5', '2.5'],
    ]);
    const met = meetOffer(demand('buy', '0.5', '10'), { price: exact('0.5'), size: exact('3.7') });
    expect(met?.amount.toFixed()).toBe('3');
  });
  test('stops when it is full', () => {
    expect(plainTrades(takeOffers(demand('buy', '0.52', '5'), offers(['0.5', '4'], ['0.51', '3'])))).toEqual([
      ['0.5', '4'],
      ['0.51', '1'],
    ]);
  });
  test('sells to bids at its limit or above', () => {
    expect(
      plainTrades(
        takeOffers(demand('sell', '0.48', '5'), offers(['0.49', '2'], ['0.48', '2'], ['0.47', '9'])),
      ),
    ).toEqual([
      ['0.49', '2'],
      ['0.48', '2'],
    ]);
  });
  test('skips a price at which nothing is left', () => {
    const asks = offers(['0.5', '0'], ['0.51', '3']);
    expect(plainTrades(takeOffers(demand('buy', '0.52', '10'), asks))).toEqual([['0.51', '3']]);
  });
  test('finds nothing without an offer, or without one within its limit', () => {
    expect(takeOffers(demand('buy', '0.5', '1'), [])).toEqual([]);
    expect(takeOffers(demand('buy', '0.49', '1'), offers(['0.5', '4']))).toEqual([]);
  });
  test('never trades worse than its limit, more than its amount, or more than is offered at a price', () => {
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
          const executions = takeOffers({ side, limitPrice, left: exact(left) }, levelsOf);
          const total = executions.reduce((sum, { amount }) => sum.plus(amount), ZERO);
          const within = levelsOf.filter(({ price }) => isWithinLimit(side, limitPrice, price));
          const offered = within.reduce((sum, { size }) => sum.plus(size), ZERO);
          expect(total.toFixed()).toBe(offered.lt(left) ? offered.toFixed() : String(left));
          for (const { price, amount } of executions) {
            expect(isWithinLimit(side, limitPrice, price)).toBe(true);
            expect(amount.lte(levelsOf.find((level) => level.price.eq(price))?.size ?? 0)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('a resting order', () => {
  const met = (side: 'buy' | 'sell', limit: string, left: string, price: string, size: string) => {
    const meeting = meetOffer(demand(side, limit, left), { price: exact(price), size: exact(size) });
    return meeting && [meeting.price.toFixed(), meeting.amount.toFixed(), meeting.liquidity];
  };
  test('is the maker of offers at its own limit, up to their size', () => {
    expect(met('buy', '0.5', '10', '0.5', '4')).toEqual(['0.5', '4', 'maker']);
    expect(met('sell', '0.5', '3', '0.5', '4')).toEqual(['0.5', '3', 'maker']);
  });
  test('beyond its limit it trades at the offered price, never at its own, and pays as a taker', () => {
    expect(met('buy', '330', '9', '165.01', '1')).toEqual(['165.01', '1', 'taker']);
    expect(met('sell', '80', '3', '165', '1')).toEqual(['165', '1', 'taker']);
  });
  test('waits while no offer reaches it, or nothing of it is left', () => {
    expect(met('buy', '0.5', '1', '0.51', '4')).toBeNull();
    expect(met('sell', '0.5', '1', '0.49', '4')).toBeNull();
    expect(met('buy', '0.5', '1', '0.5', '0')).toBeNull();
  });
});

describe('a resting order and a closed candle', () => {
  const candle = { low: exact(95), high: exact(105), volume: exact(50) };
  const step = exact('0.1');
  const met = (side: 'buy' | 'sell', limit: string, left: string, used = ZERO) => {
    const meeting = matchCandle(demand(side, limit, left), candle, used, step);
    return meeting && [meeting.price.toFixed(), meeting.amount.toFixed(), meeting.liquidity];
  };
  test('is traded through strictly: at the limit itself others may have been first', () => {
    expect(met('buy', '95', '1')).toBeNull();
    expect(met('sell', '105', '1')).toBeNull();
    expect(met('buy', '95.01', '1')).toEqual(['95.01', '1', 'maker']);
    expect(met('sell', '104.99', '1')).toEqual(['104.99', '1', 'maker']);
  });
  test('that lies beyond its limit altogether fills it at its limit and as maker: nothing improves a resting order', () => {
    expect(met('buy', '330', '1')).toEqual(['330', '1', 'maker']);
    expect(met('sell', '80', '1')).toEqual(['80', '1', 'maker']);
  });
  test("takes at most a tenth of the candle's volume, on the step, over all of the account's orders", () => {
    expect(met('buy', '100', '9')?.[1]).toBe('5');
    const thin = { ...candle, volume: exact('5.55') };
    expect(matchCandle(demand('buy', '100', '9'), thin, ZERO, step)?.amount.toFixed()).toBe('0.5');
    expect(met('buy', '100', '9', exact(5))).toBeNull();
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

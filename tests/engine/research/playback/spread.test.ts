import { expect, test } from 'vitest';
import { availableSizeOf, SIZE_MAX, Spread } from '../../../../engine/research/playback/bars/top-of-book.ts';

const sidesOf = (spread: Spread, price: number) => [spread.bidOf(price), spread.askOf(price)];

test('bid and ask lie half a spread from the price, and from there away from it to the tick', () => {
  const half = (fixed: number, share: number, tick: number) => new Spread({ fixed, share }, tick, false);
  expect(sidesOf(half(0.005, 0, 0.01), 100)).toEqual([99.99, 100.01]);
  expect(sidesOf(half(0.02, 0, 0.01), 100)).toEqual([99.98, 100.02]);
  // The larger of a share of the price and a fixed half applies.
  expect(sidesOf(half(0.01, 0.001, 0.01), 100)).toEqual([99.9, 100.1]);
  expect(sidesOf(half(0.3, 0.001, 0.01), 100)).toEqual([99.7, 100.3]);
  // Ticks of any size.
  expect(sidesOf(half(0.5, 0, 0.5), 100.2)).toEqual([99.5, 101]);
  expect(sidesOf(half(1, 0, 25), 1_012)).toEqual([1_000, 1_025]);
  expect(sidesOf(half(1, 0, 1_000), 5_500)).toEqual([5_000, 6_000]);
  expect(sidesOf(half(1e-8, 0, 1e-8), 0.00001234)).toEqual([0.00001233, 0.00001235]);
  expect(sidesOf(half(1e-12, 0, 1e-12), 5e-11)).toEqual([4.9e-11, 5.1e-11]);
  expect(sidesOf(half(0.001, 0, 0.025), 0.5)).toEqual([0.475, 0.525]);
});

test('a price on the tick, except for the rounding of a double, is not moved by a tick', () => {
  const spread = new Spread({ fixed: 0.01, share: 0 }, 0.01, false);
  for (let cents = 2; cents < 1_000; cents++) {
    expect(sidesOf(spread, cents / 100)).toEqual([(cents - 1) / 100, (cents + 1) / 100]);
  }
});

test('without a spread both sides are the price, on the tick or not', () => {
  const none = new Spread({ fixed: 0, share: 0 }, 0.01, true);
  expect(sidesOf(none, 0.123)).toEqual([0.123, 0.123]);
  expect(sidesOf(none, 1)).toEqual([1, 1]);
});

test('there is no bid at 0, no ask at 1 for a contract, and for a coin any ask', () => {
  const half = { fixed: 0.01, share: 0 };
  const contract = new Spread(half, 0.01, true);
  expect(sidesOf(contract, 0.01)).toEqual([null, 0.02]);
  expect(sidesOf(contract, 0.02)).toEqual([0.01, 0.03]);
  expect(sidesOf(contract, 0.98)).toEqual([0.97, 0.99]);
  expect(sidesOf(contract, 0.99)).toEqual([0.98, null]);
  expect(sidesOf(new Spread(half, 0.01, false), 0.99)).toEqual([0.98, 1]);
  expect(sidesOf(new Spread(half, 0.01, false), 0.005)).toEqual([null, 0.02]);
});

test('a share of a volume may be taken: nothing of none, any amount of an unlimited share', () => {
  expect(availableSizeOf(50, 0.1)).toBe(5);
  expect(availableSizeOf(0, 0.1)).toBe(0);
  expect(availableSizeOf(-1, 0.1)).toBe(0);
  expect(availableSizeOf(1e15, 0.1)).toBe(SIZE_MAX);
  expect(availableSizeOf(0, Number.POSITIVE_INFINITY)).toBe(SIZE_MAX);
});

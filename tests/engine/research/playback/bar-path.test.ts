import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bar, barPathOf, type PathOptions } from '../../../../engine/research/playback/bars/bar-path.ts';
import { seededRandom } from '../../../../engine/research/playback/bars/random.ts';
import { recentVolatilityOf } from '../../../../engine/research/playback/bars/recent-volatility.ts';
import { barsFrom, flat } from '../../../support/bars.ts';

const HOUR_MS = 3_600_000;
const bar = (fields: Partial<Bar> = {}): Bar => ({
  openMs: 0,
  closeMs: HOUR_MS,
  open: 100,
  high: 101,
  low: 99.5,
  close: 100.5,
  ...fields,
});
const past = { mean: Math.log(0.015), variance: 0.1, fineness: 1 };
const options = (fields: Partial<PathOptions> = {}): PathOptions => ({
  order: 'likely',
  tick: 0.01,
  past,
  seed: '1 BTCUSDT',
  ...fields,
});

test('the same seed, instrument and open time draw the same path, and any other draws another', () => {
  const drawn = barPathOf(bar(), options());
  expect(barPathOf(bar(), options())).toEqual(drawn);
  expect(barPathOf(bar(), options({ seed: '2 BTCUSDT' })).prices).not.toEqual(drawn.prices);
  expect(barPathOf(bar(), options({ seed: '1 ETHUSDT' })).prices).not.toEqual(drawn.prices);
  const later = { openMs: HOUR_MS, closeMs: 2 * HOUR_MS };
  expect(barPathOf(bar(later), options()).prices).not.toEqual(drawn.prices);
});

test('the number of prices, and their times, follow from earlier bars and never from the bar itself', () => {
  const { atMs } = barPathOf(bar(), options());
  for (const ending of [{ high: 130 }, { low: 80, close: 81 }, { high: 100.6 }])
    expect(barPathOf(bar(ending), options()).atMs).toEqual(atMs);
  expect(atMs).toHaveLength(63);
  expect(barPathOf(bar(), options({ past: { ...past, mean: Math.log(0.0005) } })).atMs).toHaveLength(3);
  expect(barPathOf(bar(), options({ past: null })).atMs).toHaveLength(15);
  // A tick of a fifth of the price is the smallest visible one.
  expect(barPathOf(bar(), options({ tick: 20 })).atMs).toHaveLength(3);
});

test('a price that stands still has no path, nor has a bar too short for one', () => {
  const none = { atMs: [], prices: [] };
  expect(barPathOf(bar({ high: 100, low: 100, close: 100 }), options())).toEqual(none);
  expect(barPathOf(bar({ closeMs: 63 }), options())).toEqual(none);
  expect(barPathOf(bar({ closeMs: 64 }), options()).atMs).toHaveLength(63);
});

test('in any bar, each price lies between its extremes, and the instants between open and close', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  const order = fc.constantFrom('likely', 'high_first', 'low_first');
  const pasts = fc.constantFrom(null, past, { ...past, variance: 0 });
  fc.assert(
    fc.property(fc.tuple(cents, cents, cents, cents), order, pasts, (four, order, past) => {
      const [open, close] = [four[0] / 100, four[1] / 100];
      const [low, high] = [Math.min(...four) / 100, Math.max(...four) / 100];
      const drawn = bar({ openMs: 5, closeMs: 3_600_005, open, close, low, high });
      const { atMs, prices } = barPathOf(drawn, options({ order, past }));
      expect(prices.length).toBe(atMs.length);
      expect(prices.length).toBeLessThanOrEqual(63);
      for (const [step, at] of atMs.entries()) {
        expect(at).toBeGreaterThan(atMs[step - 1] ?? 5);
        expect(at).toBeLessThan(3_600_005);
      }
      for (const price of prices) {
        expect(price).toBeGreaterThanOrEqual(low);
        expect(price).toBeLessThanOrEqual(high);
        expect(price).toBe(Math.round(price * 100) / 100);
      }
    }),
  );
});

/** Bars of a random walk, with the statistics of the earlier ones for each. */
function noise(count: number): { bar: Bar; past: PathOptions['past'] }[] {
  const random = seededRandom(5);
  let price = 10_000;
  const bars = Array.from({ length: count }, () => {
    const made = flat(price);
    for (let step = 0; step < 400; step++) {
      price += 4 * (random() - 0.5);
      made.high = Math.max(made.high, price);
      made.low = Math.min(made.low, price);
    }
    return { ...made, close: price };
  });
  const rows = barsFrom(0, HOUR_MS, bars);
  return bars.map((fields, at) => ({
    bar: { ...fields, openMs: at * HOUR_MS, closeMs: (at + 1) * HOUR_MS },
    past: recentVolatilityOf(rows, { first: 0, bar: at, tick: 0.01 }),
  }));
}

test('in a random walk, no price so far inside a bar predicts its close', () => {
  const sums = new Map<string, { count: number; sum: number; squares: number }>();
  const add = (name: string, value: number): void => {
    const { count, sum, squares } = sums.get(name) ?? { count: 0, sum: 0, squares: 0 };
    sums.set(name, { count: count + 1, sum: sum + value, squares: squares + value * value });
  };
  for (const { bar: one, past } of noise(2_000).slice(64)) {
    const { prices } = barPathOf(one, options({ past }));
    for (const part of [0.25, 0.5, 0.75]) {
      const now = prices[Math.floor(part * prices.length)] ?? one.open;
      add(`what is to come after ${part}`, Math.sign(now - one.open) * (one.close - now));
    }
    const first = prices.find((price) => Math.abs(price - one.open) >= 6);
    if (first !== undefined) add('after the first move', Math.sign(first - one.open) * (one.close - first));
    const dip = prices.find((price) => price <= one.open - 8);
    if (dip !== undefined) add('after a dip', one.close - dip);
    const last = prices.at(-1) ?? one.open;
    if (last === Math.max(...prices)) add('at the top', one.close - last);
  }
  expect(sums.size).toBe(6);
  for (const [name, { count, sum, squares }] of sums) {
    expect(count).toBeGreaterThan(200);
    expect(Math.abs(sum / Math.sqrt(squares)), name).toBeLessThan(3);
  }
});

test('a request for one of the extremes first is met by the drawn paths', () => {
  const placesOf = (order: PathOptions['order']) => {
    let highIsFirst = 0;
    const bars = noise(300).slice(64);
    for (const { bar: one, past } of bars) {
      const { prices } = barPathOf(one, options({ past, order }));
      if (prices.indexOf(Math.max(...prices)) < prices.indexOf(Math.min(...prices))) highIsFirst++;
    }
    return highIsFirst / bars.length;
  };
  expect(placesOf('high_first')).toBeGreaterThan(0.7);
  expect(placesOf('low_first')).toBeLessThan(0.3);
  expect(Math.abs(placesOf('likely') - 0.5)).toBeLessThan(0.12);
});

test('too few earlier bars give no statistics, and those before the run are not read', () => {
  const rows = barsFrom(0, HOUR_MS, [
    ...Array.from({ length: 50 }, () => flat(100, { high: 150 })),
    ...Array.from({ length: 20 }, () => flat(100, { high: 101 })),
  ]);
  expect(recentVolatilityOf(rows, { first: 50, bar: 57, tick: 0.01 })).toBeNull();
  const known = recentVolatilityOf(rows, { first: 50, bar: 58, tick: 0.01 });
  expect(known).toMatchObject({ mean: expect.closeTo(Math.log(0.01)), fineness: 1 });
  expect(known?.variance).toBeCloseTo(0);
  expect(recentVolatilityOf(rows, { first: 50, bar: 69, tick: 0.01 })?.mean).toBeCloseTo(Math.log(0.01));
});

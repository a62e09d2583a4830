import { expect, test } from 'vitest';
import { barPathOf } from '../../../../engine/research/playback/bars/bar-path.ts';
import { BarPrices } from '../../../../engine/research/playback/bars/bar-prices.ts';
import { SIZE_MAX, Spread } from '../../../../engine/research/playback/bars/top-of-book.ts';
import { type BarFields, barsFrom, cut, flat } from '../../../support/bars.ts';

const T = 1_000_000;
const BAR = 2_000;
const SPREAD = new Spread({ fixed: 0.5, share: 0 }, 0.5, false);

/** Prices of bars of two seconds. */
const pricesOf = (
  bars: readonly BarFields[],
  options: Partial<ConstructorParameters<typeof BarPrices>[1]> = {},
) =>
  new BarPrices(barsFrom(T, BAR, bars), {
    spread: SPREAD,
    tick: 1,
    share: 0.1,
    walk: null,
    isWatched: () => true,
    ...options,
  });

const WALK = { order: 'likely', isReported: true, seed: '1 BTCUSDT', fromMs: 0, pathSource: null } as const;
const rising = { open: 100, high: 104, low: 98, close: 102 };

test('at the close of a bar its close is known, after it the open of the bar that forms, and before the first nothing', () => {
  const prices = pricesOf([flat(100, { close: 102, high: 102, volume: 50 }), flat(110)]);
  expect(prices.nextMs()).toBe(T + BAR);
  expect(prices.advance(T - 1)).toBe(false);
  expect(prices.topOfBookAt(T - 1)).toBeNull();
  expect(prices.topOfBookAt(T)).toEqual({
    bid: 99.5,
    ask: 100.5,
    last: 100,
    bidSize: 0,
    askSize: 0,
    asOfMs: T,
  });
  expect(prices.hasClosedAt(T)).toBe(false);
  expect(prices.advance(T + BAR)).toBe(true);
  const closed = { bid: 101.5, ask: 102.5, last: 102, bidSize: 5, askSize: 5 };
  expect(prices.topOfBookAt(T + BAR)).toEqual({ ...closed, asOfMs: T + BAR });
  expect(prices.advance(T + BAR + 1)).toBe(false);
  expect(prices.topOfBookAt(T + BAR + 1)).toEqual({
    ...closed,
    bid: 109.5,
    ask: 110.5,
    last: 110,
    asOfMs: T + BAR + 1,
  });
});

test('nothing comes after the last bar', () => {
  const prices = pricesOf([flat(100), flat(110)], { walk: WALK });
  expect(prices.advance(T + 2 * BAR)).toBe(true);
  expect(prices.nextMs()).toBe(Number.POSITIVE_INFINITY);
  expect(prices.topOfBookAt(T + 2 * BAR)?.last).toBe(110);
  expect(prices.topOfBookAt(T + 2 * BAR + 1)).toBeNull();
  expect(prices.advance(T + 9 * BAR)).toBe(false);
});

test('in a gap no price is known', () => {
  const rows = barsFrom(T, BAR, [flat(100), flat(105), flat(110)]);
  const gap = { ...cut(rows, 0, 2), columns: { ...cut(rows, 0, 2).columns } };
  gap.columns.openTimeMs[1] = T + 2 * BAR;
  gap.columns.closeTimeMs[1] = T + 3 * BAR - 1;
  const prices = new BarPrices(gap, { spread: SPREAD, tick: 1, share: 1, walk: null, isWatched: () => true });
  prices.advance(T + BAR);
  expect(prices.topOfBookAt(T + BAR)?.last).toBe(100);
  expect(prices.topOfBookAt(T + BAR + 1)).toBeNull();
  expect(prices.topOfBookAt(T + 2 * BAR)?.last).toBe(105);
  expect(prices.gradeAt(T + 2 * BAR)).toBe('gap');
});

test('a closed bar is returned at its instant only, and its volume until the next one closes', () => {
  const prices = pricesOf([{ ...rising, volume: 70 }, flat(110)]);
  expect(prices.volumeOfClosed()).toBe(0);
  expect(prices.closedAt(T)).toBeNull();
  prices.advance(T + BAR);
  expect(prices.closedAt(T + BAR)).toEqual({ openMs: T, closeMs: T + BAR, ...rising });
  expect(prices.hasClosedAt(T + BAR)).toBe(true);
  prices.advance(T + BAR + 1);
  expect(prices.closedAt(T + BAR + 1)).toBeNull();
  expect(prices.volumeOfClosed()).toBe(70);
});

test('several bars that closed since are processed at once', () => {
  const prices = pricesOf([flat(100), flat(105), flat(110)]);
  expect(prices.advance(T + 2 * BAR + 5)).toBe(true);
  expect(prices.topOfBookAt(T + 2 * BAR + 5)?.last).toBe(110);
  expect(prices.closedAt(T + 2 * BAR)).toMatchObject({ close: 105 });
});

test('with a path inside bars, its prices come at their instants while an order watches them', () => {
  let isWatched = true;
  const prices = pricesOf([flat(100), rising, flat(102)], {
    walk: WALK,
    isWatched: () => isWatched,
    share: Number.POSITIVE_INFINITY,
  });
  prices.advance(T + BAR);
  expect(prices.nextMs()).toBe(T + BAR + 500);
  expect(prices.gradeAt(T + BAR)).toBe('bar');
  isWatched = false;
  expect(prices.nextMs()).toBe(T + 2 * BAR);
  isWatched = true;
  expect(prices.topOfBookAt(T + BAR + 50)).toMatchObject({ last: 100, bidSize: SIZE_MAX, askSize: SIZE_MAX });
  expect(prices.advance(T + BAR + 499)).toBe(false);
  expect(prices.gradeAt(T + BAR + 499)).toBe('bar');
  expect(prices.advance(T + BAR + 500)).toBe(true);
  const drawn = barPathOf(
    { openMs: T + BAR, closeMs: T + 2 * BAR, ...rising },
    { ...WALK, tick: 1, past: null },
  );
  expect(prices.topOfBookAt(T + BAR + 500)?.last).toBe(drawn.prices[0]);
  expect(prices.gradeAt(T + BAR + 500)).toBe('path');
  expect(prices.nextMs()).toBe(T + BAR + 1_000);
  expect(prices.advance(T + BAR + 1_700)).toBe(true);
  expect(prices.topOfBookAt(T + BAR + 1_700)?.last).toBe(drawn.prices[2]);
  // The close ends the path, and the bar that forms then begins at its own open.
  expect(prices.advance(T + 2 * BAR)).toBe(true);
  expect(prices.topOfBookAt(T + 2 * BAR)?.last).toBe(102);
  expect(prices.nextMs()).toBe(T + 3 * BAR);
  expect(prices.topOfBookAt(T + 2 * BAR + 1)?.last).toBe(102);
});

test('without a path, no price comes inside bars', () => {
  const prices = pricesOf([flat(100), rising]);
  prices.advance(T + BAR);
  expect(prices.nextMs()).toBe(T + 2 * BAR);
  expect(prices.advance(T + BAR + 900)).toBe(false);
  expect(prices.topOfBookAt(T + BAR + 900)?.last).toBe(100);
});

test('an arrival inside a bar leaves the rest of its path, with as much of its volume', () => {
  const prices = pricesOf([flat(100), { ...rising, volume: 80 }, flat(102)], {
    walk: { ...WALK, isReported: false },
  });
  prices.advance(T + 2 * BAR);
  const { atMs, prices: drawn } = barPathOf(
    { openMs: T + BAR, closeMs: T + 2 * BAR, ...rising },
    { ...WALK, tick: 1, past: null },
  );
  const sinceMs = T + BAR + 800;
  const later = drawn.filter((_, step) => (atMs[step] ?? 0) > sinceMs);
  expect(later).toHaveLength(2);
  expect(prices.closedSince(sinceMs)).toMatchObject({
    bar: {
      openMs: sinceMs,
      closeMs: T + 2 * BAR,
      high: Math.max(102, ...later),
      low: Math.min(102, ...later),
    },
    volume: 48,
  });
  for (const outside of [T + BAR, T + 2 * BAR, T]) expect(prices.closedSince(outside)).toBeNull();
});

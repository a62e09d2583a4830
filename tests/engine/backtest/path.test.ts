import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bar, isHighFirst, pathOf } from '../../../engine/backtest/path.ts';

const bar = (fields: Partial<Bar>): Bar => ({
  openMs: 0,
  closeMs: 100,
  open: 100,
  high: 104,
  low: 98,
  close: 102,
  ...fields,
});

test('the way goes from the open over both extremes toward the close, tick by tick, and time passes as it does', () => {
  expect(pathOf(bar({}), 'low_first', 1)).toEqual({
    atMs: [10, 20, 30, 40, 50, 60, 70, 80, 90],
    prices: [99, 98, 99, 100, 101, 102, 103, 104, 103],
  });
  expect(pathOf(bar({ openMs: 1_000, closeMs: 1_140 }), 'high_first', 1)).toEqual({
    atMs: Array.from({ length: 13 }, (_, step) => 1_010 + 10 * step),
    prices: [101, 102, 103, 104, 103, 102, 101, 100, 99, 98, 99, 100, 101],
  });
});

test('a bar that falls is likely to have gone up first, any other down', () => {
  expect(isHighFirst(bar({ open: 100, close: 99 }), 'likely')).toBe(true);
  expect(isHighFirst(bar({ open: 100, close: 100 }), 'likely')).toBe(false);
  expect(isHighFirst(bar({ open: 100, close: 101 }), 'likely')).toBe(false);
  expect(isHighFirst(bar({ open: 100, close: 101 }), 'high_first')).toBe(true);
  expect(isHighFirst(bar({ open: 100, close: 99 }), 'low_first')).toBe(false);
  expect(pathOf(bar({ close: 99 }), 'likely', 1)).toEqual(pathOf(bar({ close: 99 }), 'high_first', 1));
});

test('a price that stands still has no way', () => {
  expect(pathOf(bar({ high: 100, low: 100, close: 100 }), 'likely', 1)).toEqual({ atMs: [], prices: [] });
});

test('a step is 5 basis points of the open, or a tick where that is more', () => {
  const rising = bar({ open: 10_000, low: 10_000, high: 10_020, close: 10_020 });
  expect(pathOf(rising, 'low_first', 0.01)).toEqual({ atMs: [25, 50, 75], prices: [10_005, 10_010, 10_015] });
  expect(pathOf(rising, 'low_first', 8)).toEqual({ atMs: [40, 80], prices: [10_008, 10_016] });
});

test('the first and the last millisecond are those of open and close, and of two prices in one the later stands', () => {
  const short = bar({ closeMs: 3 });
  expect(pathOf(short, 'low_first', 1)).toEqual({ atMs: [1, 2], prices: [100, 104] });
  expect(pathOf(bar({ closeMs: 1 }), 'low_first', 1)).toEqual({ atMs: [], prices: [] });
});

test('whatever a bar is, both extremes are met, each price lies on the tick and between them, and 64 steps are enough', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  const order = fc.constantFrom('likely', 'high_first', 'low_first');
  fc.assert(
    fc.property(fc.tuple(cents, cents, cents, cents), order, (four, order) => {
      const [open, close] = [four[0] / 100, four[1] / 100];
      const [low, high] = [Math.min(...four) / 100, Math.max(...four) / 100];
      const { atMs, prices } = pathOf({ openMs: 5, closeMs: 3_600_005, open, close, low, high }, order, 0.01);
      expect(prices.length).toBe(atMs.length);
      expect(prices.length).toBeLessThanOrEqual(64);
      for (const [step, at] of atMs.entries()) {
        expect(at).toBeGreaterThan(atMs[step - 1] ?? 5);
        expect(at).toBeLessThan(3_600_005);
      }
      for (const price of prices) {
        expect(price).toBeGreaterThanOrEqual(low);
        expect(price).toBeLessThanOrEqual(high);
        expect(price).toBe(Math.round(price * 100) / 100);
      }
      const met = [open, ...prices, close];
      expect([Math.min(...met), Math.max(...met)]).toEqual([low, high]);
    }),
  );
});

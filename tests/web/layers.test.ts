import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candle, endingAt, fitted, merged, revisionOf, thinned } from '../../web/src/charts/layers.ts';

const pointsOf = (values: readonly number[]) =>
  values.map((value, index) => ({ at: new Date(index * 60_000).toISOString(), value }));
const candlesOf = (count: number): Candle[] =>
  pointsOf(Array.from({ length: count }, (_, index) => Math.sin(index) * 100)).map(({ at, value }) => ({
    at,
    open: value,
    high: value + 2,
    low: value - 2,
    close: value + 1,
  }));
const write = String;

test('a chart has at most 2,000 points, however many there are, and keeps ends and extremes', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 300 }), (values) => {
      const points = pointsOf(values);
      const kept = thinned(points, 20);
      expect(kept.length).toBeLessThanOrEqual(20);
      expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
      for (const extreme of [Math.min, Math.max]) {
        expect(extreme(...kept.map(({ value }) => value))).toBe(extreme(...values));
      }
    }),
  );
  const many = pointsOf(Array.from({ length: 100_000 }, (_, index) => index % 777));
  const drawn = fitted([
    { kind: 'line', tone: 'accent', points: many, write },
    { kind: 'below', points: many, write },
    { kind: 'candles', candles: candlesOf(50_000), write },
  ]);
  const count = drawn.reduce(
    (sum, layer) => sum + (layer.kind === 'candles' ? layer.candles : layer.points).length,
    0,
  );
  expect(count).toBeLessThanOrEqual(2_000);
  expect(count).toBeGreaterThan(1_000);
});

test('candles drawn as one keep the first open, the last close, the highest and the lowest', () => {
  const candles = candlesOf(1_000);
  const kept = merged(candles, 90);
  expect(kept.length).toBeLessThanOrEqual(90);
  expect(kept[0]?.open).toBe(candles[0]?.open);
  expect(kept.at(-1)?.close).toBe(candles.at(-1)?.close);
  expect(Math.max(...kept.map(({ high }) => high))).toBe(Math.max(...candles.map(({ high }) => high)));
  expect(Math.min(...kept.map(({ low }) => low))).toBe(Math.min(...candles.map(({ low }) => low)));
});

test('equal points of another answer are the same revision, a moved last point is another', () => {
  const points = pointsOf([1, 2, 3]);
  expect(revisionOf('a', pointsOf([1, 2, 3]))).toBe(revisionOf('a', points));
  expect(revisionOf('a', pointsOf([1, 2, 4]))).not.toBe(revisionOf('a', points));
  expect(revisionOf('b', points)).not.toBe(revisionOf('a', points));
});

test('a drawdown read a moment before or after the curve it is drawn under ends where that one does', () => {
  const points = pointsOf([0, -1, -2]);
  const ends = (at: string) => endingAt(points, at).map((point) => [point.at.slice(14, 19), point.value]);
  expect(ends('1970-01-01T00:01:30.000Z')).toEqual([
    ['00:00', 0],
    ['01:00', -1],
    ['01:30', -2],
  ]);
  expect(ends('1970-01-01T00:02:30.000Z').at(-1)).toEqual(['02:30', -2]);
  expect(ends('1970-01-01T00:02:00.000Z')).toHaveLength(3);
  expect(endingAt([], '1970-01-01T00:02:00.000Z')).toEqual([]);
});

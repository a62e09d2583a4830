import { expect, test } from 'vitest';
import { extendTo, pointsChangeKey } from '../../web/src/charts/layers.ts';

const pointsOf = (values: readonly number[]) =>
  values.map((value, index) => ({ at: new Date(index * 60_000).toISOString(), value }));

test('equal points of another response are the same revision, a moved last point is another', () => {
  const points = pointsOf([1, 2, 3]);
  expect(pointsChangeKey(pointsOf([1, 2, 3]))).toBe(pointsChangeKey(points));
  expect(pointsChangeKey(pointsOf([1, 2, 4]))).not.toBe(pointsChangeKey(points));
});

test('a drawdown read a moment before or after the curve above it ends where that curve does', () => {
  const points = pointsOf([0, -1, -2]);
  const ends = (at: string) => extendTo(points, at).map((point) => [point.at.slice(14, 19), point.value]);
  expect(ends('1970-01-01T00:01:30.000Z')).toEqual([
    ['00:00', 0],
    ['01:00', -1],
    ['01:30', -2],
  ]);
  expect(ends('1970-01-01T00:02:30.000Z').at(-1)).toEqual(['02:30', -2]);
  expect(ends('1970-01-01T00:02:00.000Z')).toHaveLength(3);
  expect(extendTo([], '1970-01-01T00:02:00.000Z')).toEqual([]);
});

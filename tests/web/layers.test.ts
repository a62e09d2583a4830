import { expect, test } from 'vitest';
import { pointsChangeKey } from '../../web/src/charts/layers.ts';

const pointsOf = (values: readonly number[]) =>
  values.map((value, index) => ({ at: new Date(index * 60_000).toISOString(), value }));

test('equal points of another response are the same revision, a moved last point is another', () => {
  const points = pointsOf([1, 2, 3]);
  expect(pointsChangeKey(pointsOf([1, 2, 3]))).toBe(pointsChangeKey(points));
  expect(pointsChangeKey(pointsOf([1, 2, 4]))).not.toBe(pointsChangeKey(points));
});

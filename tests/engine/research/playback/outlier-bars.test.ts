import fc from 'fast-check';
import { expect, test } from 'vitest';
import { medianOf } from '../../../../engine/research/playback/verdicts/outlier-bars.ts';

const sortedMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const median = (values: readonly number[]): number =>
  medianOf(0, values.length, (row) => values[row] as number);

test('the median by selection is that by sorting, of any values in any order', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true, min: 1 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(values, (some) => {
      expect(median(some)).toBe(sortedMedian(some));
    }),
  );
});

test('values that rise and fall again take no longer than others', () => {
  const count = 525_600;
  const pipe = Array.from({ length: count }, (_, row) => Math.min(row, count - row));
  expect(median(pipe)).toBe(sortedMedian(pipe));
}, 10_000);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resampledFiguresOf } from '../../../../engine/books/statistics/bootstrap.ts';
import { Xoshiro } from '../../../../engine/books/statistics/xoshiro.ts';

const days = fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 20, maxLength: 60 });

test('fewer than 20 days are not resampled', () => {
  expect(resampledFiguresOf(Array(19).fill(0.01))).toBeNull();
  expect(resampledFiguresOf(Array(20).fill(0.01))).not.toBeNull();
});

test('days that are all alike leave luck no room', () => {
  const { totalReturn, maxDrawdown, losing } = resampledFiguresOf(Array(30).fill(-0.01)) ?? {};
  expect(totalReturn?.low).toBeCloseTo(0.99 ** 30 - 1, 12);
  expect(totalReturn?.high).toBeCloseTo(0.99 ** 30 - 1, 12);
  expect(maxDrawdown?.high).toBeCloseTo(1 - 0.99 ** 30, 12);
  expect(losing).toBe(1);
});

test('a day on which all was lost stays lost', () => {
  const { totalReturn, maxDrawdown } = resampledFiguresOf([-1, ...Array(29).fill(0.5)]) ?? {};
  expect(totalReturn?.low).toBe(-1);
  expect(maxDrawdown?.high).toBe(1);
});

test('law: equal days give equal figures, within what they can reach, lower before higher', () => {
  fc.assert(
    fc.property(days, (returns) => {
      const figures = resampledFiguresOf(returns);
      expect(figures).toEqual(resampledFiguresOf([...returns]));
      if (figures === null) return;
      const { totalReturn, maxDrawdown, losing } = figures;
      const [least, most] = [Math.min(...returns), Math.max(...returns)];
      expect(totalReturn.low).toBeGreaterThanOrEqual((1 + least) ** returns.length - 1 - 1e-9);
      expect(totalReturn.high).toBeLessThanOrEqual(
        (1 + most) ** returns.length - 1 + 1e-9 * (1 + most) ** returns.length,
      );
      expect(totalReturn.low).toBeLessThanOrEqual(totalReturn.high);
      expect(maxDrawdown.low).toBeGreaterThanOrEqual(0);
      expect(maxDrawdown.low).toBeLessThanOrEqual(maxDrawdown.high);
      expect(maxDrawdown.high).toBeLessThanOrEqual(1);
      expect(losing >= 0 && losing <= 1).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test('the range of nine in ten holds the return of days that are like those of the run in about nine of ten cases', () => {
  const random = new Xoshiro(7);
  const tossed = () => Array.from({ length: 100 }, () => (random.below(2) === 0 ? 0.01 : -0.01));
  const inside = Array.from({ length: 100 }, () => {
    const { low = 0, high = 0 } = resampledFiguresOf(tossed())?.totalReturn ?? {};
    // The return that is right on average: a draw of the run's days is centered at the run, not at the truth.
    return low <= -0.005 && high >= -0.005;
  }).filter(Boolean).length;
  expect(inside).toBeGreaterThan(80);
  expect(inside).toBeLessThan(98);
});

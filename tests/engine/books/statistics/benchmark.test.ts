import fc from 'fast-check';
import { expect, test } from 'vitest';
import { benchmarkFiguresOf } from '../../../../engine/books/statistics/benchmark.ts';
import { textbookBenchmark } from '../../../reference/benchmark.ts';
import { expectClose } from './trading-span.ts';

const days = (values: readonly number[], first = 0) =>
  values.map((value, day) => ({ day: first + day, value }));
/** Whole basis points: a benchmark that moves by less has captures of mere rounding. */
const day = fc.integer({ min: -2_000, max: 2_000 }).map((points) => points / 10_000);
const isFlat = (values: readonly number[]) => Math.max(...values) - Math.min(...values) < 1e-9;
const pairs = fc.array(fc.tuple(day, day), { minLength: 3, maxLength: 400 });

test('figures beside a benchmark are those of a textbook loop', () => {
  fc.assert(
    fc.property(pairs, day, (rows, riskFree) => {
      const [own, market] = [rows.map(([each]) => each), rows.map(([, each]) => each)];
      const expected = textbookBenchmark(own, market, riskFree);
      for (const [name, figure] of Object.entries(benchmarkFiguresOf(days(own), days(market), riskFree))) {
        if (figure.value === null) {
          const gaps = rows.map(([mine, all]) => mine - all);
          const isUndefined = !Number.isFinite(expected[name as keyof typeof expected]);
          expect(isUndefined || [own, market, gaps].some(isFlat), name).toBe(true);
          continue;
        }
        const scale = Math.max(1, Math.abs(figure.value));
        expect(Math.abs(figure.value - expected[name as keyof typeof expected]) / scale, name).toBeLessThan(
          1e-6,
        );
      }
    }),
    { numRuns: 200 },
  );
});

test('a strategy that is its benchmark has beta and captures of 1, no alpha and no tracking error', () => {
  const market = days([0.01, -0.02, 0.03, -0.01]);
  const figures = benchmarkFiguresOf(market, market, 0);
  const { beta, correlation, upCapture, downCapture, alpha, trackingError } = figures;
  for (const figure of [beta, correlation, upCapture, downCapture]) expectClose(figure.value, 1, 'itself');
  for (const figure of [alpha, trackingError]) expectClose(figure.value, 0, 'itself');
  expect(figures.informationRatio).toEqual({ value: null, reason: 'zero_variance' });
});

test('only days that both have count, and a figure that cannot be known states why', () => {
  const apart = benchmarkFiguresOf(days([0.01, 0.02]), days([0.01, 0.02], 7), 0);
  for (const figure of Object.values(apart)) expect(figure).toEqual({ value: null, reason: 'too_few' });
  const still = benchmarkFiguresOf(days([0.01, 0.02]), days([0, 0]), 0);
  expect(still.beta).toEqual({ value: null, reason: 'zero_variance' });
  expect(still.upCapture).toEqual({ value: null, reason: 'too_few' });
});

import { expect, test } from 'vitest';
import { histogramOf } from '../../engine/research/backtests/result-charts.ts';
import { histogramTicks } from '../../web/src/format/research/histogram-ticks.ts';

test('a histogram labels zero and round results at their own borders', () => {
  const bins = histogramOf([-0.59, 0.2, 1.57]);
  const ticks = histogramTicks(bins);
  expect(ticks.map(({ value }) => value)).toEqual([-0.5, 0, 0.5, 1, 1.5]);
  for (const { value, share } of ticks)
    expect(share).toBeCloseTo(
      (value - (bins[0]?.from ?? 0)) / ((bins.at(-1)?.to ?? 0) - (bins[0]?.from ?? 0)),
    );
});

test('a histogram has few labels however many its bins, and none without trades', () => {
  for (const values of [[-1], [40_000], [-3, 900], [-0.001, 0.0013]]) {
    const ticks = histogramTicks(histogramOf(values));
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(10);
    expect(ticks.map(({ value }) => value)).toContain(0);
  }
  expect(histogramTicks([])).toEqual([]);
  expect(histogramTicks(histogramOf([0]))).toEqual([]);
});

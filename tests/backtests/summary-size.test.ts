/** Results with everything that a run can find, over many years: the database limits a summary's size. */
import { expect, test } from 'vitest';
import { reliabilityOf } from '../../engine/books/statistics/reliability.ts';
import { readBacktest } from '../../engine/research/backtests/row.ts';
import type { BacktestSummary } from '../../engine/research/playback/result.ts';
import { addBacktest, resultOf } from '../support/backtests.ts';
import { openedForFile } from '../support/opened.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const ratio = { value: -0.123_456_789_012_345_6 };
/** JSON has it with an exponent, and the database without. */
const rounding = { value: 1.234_567_890_123_456e-16 };
const of = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => ({ name: `${name}-${place}`, place }));

/** Returns the summary of a run over many coins and contracts, with trades in every hour and each assumption changed. */
function everythingIn(months: number, words: number): BacktestSummary {
  const { summary } = resultOf(3);
  const all = Array.from({ length: 100 }, (_, place) => ({ stated: place / 100, outcome: place % 2 }));
  const bins = reliabilityOf(all);
  const rows = (name: string, count: number) =>
    of(name, count).map((each) => ({ of: each.name, trades: 1_234, wins: 567, profit: '-1234.56789012' }));
  const drawdown = {
    ...{ share: ratio.value, usd: '-1234.56789012' },
    ...{ peakAtMs: 1_788_868_800_000, troughAtMs: 1_789_840_800_000, recoveredAtMs: 1_790_164_800_000 },
  };
  return {
    ...summary,
    statistics: {
      ...summary.statistics,
      drawdowns: { max: drawdown, longestMs: 1, worst: of('', 5).map(() => drawdown) },
      monthly: of('', months).map(() => ({ month: '2026-01', value: rounding.value, isPartial: false })),
      rollingSharpe: of('', 60).map(() => ({ day: '2026-01-01', value: rounding.value })),
      calibration: {
        brier: ratio,
        bins: bins.map(({ from, meanStated, ...bin }) => ({
          ...bin,
          fromPrice: from,
          meanPrice: meanStated,
        })),
      },
    },
    verdicts: of('verdict', 40).map(({ name }) => ({
      ...{ code: name, severity: 'warning', count: 1_234 },
      message: `„${name}“ `.repeat(words),
    })),
    assumptions: of('assumption', 12).map(({ name }) => ({
      name,
      value: '0.001',
      why: 'By default. '.repeat(6),
    })),
    benchmark: {
      ...{ totalReturn: ratio, alpha: ratio, beta: ratio, correlation: ratio, trackingError: ratio },
      ...{ informationRatio: ratio, upCapture: ratio, downCapture: ratio },
    },
    resampled: {
      totalReturn: { low: ratio.value, high: ratio.value },
      maxDrawdown: { low: ratio.value, high: ratio.value },
      losing: ratio.value,
    },
    forecasts: {
      ...{ count: 100, brier: ratio, marketBrier: ratio, skill: ratio, logScore: ratio },
      ...{ marketLogScore: ratio, skillT: ratio, bins },
    },
    attribution: {
      node: rows('a-node-with-the-longest-of-names/BTCUSDT', 12),
      instrument: rows('KXHIGHNY-26NOV30-B45.5:yes', 12),
      hour: rows('1', 24),
      weekday: rows('1', 7),
      regime: rows('falling_volatile', 5),
    },
    sensitivity: of('', 8).map(() => ({
      change: 'one_more_tick',
      difference: '-1234.56789012',
      trades: 1_234,
    })),
  };
}

test.each([
  [1, 12, 1],
  [240, 12, 240],
  [240, 45, 60], // too large with all of them
])(
  '%i months and all that a run can find, in verdicts of %i words, are stored with %i months',
  async (months, words, stored) => {
    const { work } = await world.account();
    const result = { ...resultOf(3), summary: everythingIn(months, words) };
    const { summary } = await readBacktest(work, await addBacktest(world.pool, work, { result }));
    expect(summary?.statistics.monthly).toHaveLength(stored);
  },
);

/** Sweeps over recorded bars: 25 pairs of averages, by the sweep, one by one, and by `tests/reference/bars_statistics.py`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dailySharpe } from '../../../../engine/books/statistics/daily-returns.ts';
import {
  deflatedSharpe,
  probabilisticSharpe,
  probabilityOfOverfitting,
} from '../../../../engine/books/statistics/overfitting.ts';
import type { BacktestInput } from '../../../../engine/research/playback/input.ts';
import { outcomeOf } from '../../../../engine/research/search/outcome.ts';
import { planOf, rangeOf } from '../../../../engine/research/search/plan.ts';
import { rankTrials } from '../../../../engine/research/search/ranking.ts';
import type { Space, SweepRequest } from '../../../../engine/research/search/request.ts';
import { graphWith, scalarsOf } from '../../../../engine/research/search/space.ts';
import { TrialRunner } from '../../../../engine/research/search/trial-runner.ts';
import { INTERVAL_MS } from '../../../../venues/parse/intervals.ts';
import {
  crossingGraph,
  FREE_COIN,
  factFromStart,
  IDEAL_FILLS,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { historyOf, recordedBars } from '../../../support/bars.ts';
import { expectClose } from '../../books/statistics/trading-span.ts';

const DAY = 86_400_000;
const {
  sweep: REFERENCE,
}: {
  sweep: {
    readonly fast: readonly number[];
    readonly slow: readonly number[];
    readonly fromMs: number;
    readonly days: number;
    readonly trials: readonly {
      readonly fast: number;
      readonly slow: number;
      readonly sharpe: number;
      readonly closed: number;
    }[];
    readonly best: { readonly fast: number; readonly slow: number };
    readonly psr: number;
    readonly dsr: number;
    readonly pbo: number;
    readonly pboSlices: number;
  };
} = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../reference/bars_statistics.json'), 'utf8'),
);

const visual = crossingGraph(10, 30, 0.1);
const SPACE: Space = {
  dimensions: [
    { pointer: '/nodes/1/data/config/period', values: REFERENCE.fast },
    { pointer: '/nodes/2/data/config/period', values: REFERENCE.slow },
  ],
  constraints: [],
};
const span = (days: number) => ({ from: iso(REFERENCE.fromMs), to: iso(REFERENCE.fromMs + days * DAY) });

function sweepOf(
  days: number,
  change: Partial<SweepRequest> = {},
): { request: SweepRequest; input: BacktestInput } {
  const backtest = requestOf(span(days), { cash: '100000', fills: IDEAL_FILLS });
  return {
    request: {
      backtest,
      space: SPACE,
      search: { kind: 'grid' },
      objective: { statistic: 'sharpe', minTrades: 30 },
      walkForward: null,
      ...change,
    },
    input: inputOf(backtest, {
      visual,
      facts: [factFromStart(FREE_COIN)],
      histories: [historyOf('BTCUSDT', INTERVAL_MS['5m'], recordedBars())],
    }),
  };
}
const going = () => false;

describe('row 43: 25 pairs of averages over 40 days', () => {
  const { request, input } = sweepOf(REFERENCE.days);
  const plan = planOf(request, visual);
  const runner = new TrialRunner(input, SPACE, plan.candles);
  const trials = plan.combinations.map((combination) => {
    const trial = runner.run(combination, rangeOf(request), going);
    if (trial === null) throw new Error('The trial was canceled, though no request did.');
    return trial;
  });

  test('each trial equals, to the last bit, a single run of the same graph', { tags: ['long'] }, () => {
    expect(trials).toHaveLength(25);
    for (const { combination, resultHash, figures } of trials) {
      const single = run({ ...input, visual: graphWith(visual, SPACE, combination) });
      expect(resultHash).toBe(single.summary.resultHash);
      expect(figures.sharpe).toEqual(single.summary.statistics.sharpe);
    }
  });

  test('an independent implementation comes to the same ratios, and to how much of the best luck explains', () => {
    const seen = trials.map(({ combination, figures }) => {
      const [fast, slow] = scalarsOf(SPACE, combination);
      return { fast, slow, sharpe: figures.sharpe.value, closed: figures.closed };
    });
    expectClose(seen, REFERENCE.trials, 'trials');
    const [best] = rankTrials(trials, { statistic: 'sharpe', minTrades: 0 });
    const returns = best?.trial.returns ?? [];
    const [fast, slow] = scalarsOf(SPACE, best?.trial.combination ?? []);
    expect({ fast, slow }).toEqual(REFERENCE.best);
    const sharpes = trials.map((trial) => dailySharpe(trial.returns).value ?? Number.NaN);
    expectClose(probabilisticSharpe(returns).value, REFERENCE.psr, 'psr');
    expectClose(deflatedSharpe(returns, sharpes).value, REFERENCE.dsr, 'dsr');
    const overfitting = probabilityOfOverfitting(
      trials.map((trial) => trial.returns),
      REFERENCE.pboSlices,
    );
    expectClose(overfitting.value, REFERENCE.pbo, 'pbo');
  });

  test('daily returns multiply up to what the trial returned', () => {
    for (const { returns, figures } of trials) {
      const product = returns.reduce((factor, value) => factor * (1 + value), 1);
      expect(product - 1).toBeCloseTo(figures.totalReturn.value ?? Number.NaN, 12);
    }
  });

  test('the result is shown with its warnings', () => {
    const { best, profile } = outcomeOf(request, { trials, trialsEver: 25, walkForward: null });
    expect(best?.deflatedSharpe.value).not.toBeNull();
    expect(best?.probabilityOfOverfitting.value).not.toBeNull();
    expect(profile.map(({ values }) => values.map(({ trials: count }) => count))).toEqual([
      [5, 5, 5, 5, 5],
      [5, 5, 5, 5, 5],
    ]);
  });
});

test('row 45: a training run has the same result whatever follows it', () => {
  const { request, input } = sweepOf(10);
  const plan = planOf(request, visual);
  const range = { fromMs: REFERENCE.fromMs, toMs: REFERENCE.fromMs + 5 * DAY };
  const [history] = input.histories;
  if (history === undefined) throw new Error('There is no history.');
  const { columns } = history.rows;
  const poisoned = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      name.endsWith('TimeMs')
        ? column
        : column.map((value, row) =>
            (columns.closeTimeMs[row] ?? 0) >= range.toMs ? -1_000 * value : value,
          ),
    ]),
  ) as typeof columns;
  const hashOf = (of: BacktestInput) =>
    new TrialRunner(of, SPACE, plan.candles).run([1, 0], range, going)?.resultHash;
  const other = { ...input, histories: [{ ...history, rows: { ...history.rows, columns: poisoned } }] };
  expect(hashOf(other)).toBe(hashOf(input));
});

test('a canceled sweep has no trial of it', () => {
  const { request, input } = sweepOf(10);
  const { candles } = planOf(request, visual);
  expect(new TrialRunner(input, SPACE, candles).run([0, 0], rangeOf(request), () => true)).toBeNull();
});

test('every series that trials read is known before the first of them runs', () => {
  const { request } = sweepOf(40, {
    space: {
      ...SPACE,
      dimensions: [...SPACE.dimensions, { pointer: '/nodes/0/data/config/interval', values: ['5m', '1h'] }],
    },
    walkForward: { trainDays: 10, testDays: 5, stepDays: 5, isAnchored: false, holdingDays: 1 },
  });
  const plan = planOf(request, visual);
  expect(plan.combinations).toHaveLength(50);
  expect(plan.needs.series.map(({ key }) => key.resolutionMs).sort((a, b) => a - b)).toEqual([
    300_000, 3_600_000,
  ]);
  expect(plan.candles.map(({ window }) => window)).toEqual([70, 70]);
  expect(plan.embargoDays).toBe(Math.ceil((70 * 3_600_000) / DAY) + 1);
  expect(plan.folds).toHaveLength(5);
});

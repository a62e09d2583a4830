import { expect, test } from 'vitest';
import { planOf, rangeOf } from '../../../../engine/research/search/plan.ts';
import { rankTrials } from '../../../../engine/research/search/ranking.ts';
import type { Space, SweepRequest } from '../../../../engine/research/search/request.ts';
import { graphWith, scalarsOf } from '../../../../engine/research/search/space.ts';
import { TrialRunner } from '../../../../engine/research/search/trial-runner.ts';
import {
  buyAtMarket,
  FREE_COIN,
  factFromStart,
  graphFrom,
  IDEAL_FILLS,
  inputOf,
  iso,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, cut, historyOf, recordedBars } from '../../../support/bars.ts';

const BARS = 75;
const SYMBOLS = Array.from({ length: 50 }, (_, index) => `C${index}USDT`);
const refer = (parameter: string) => ({ parameter });

/** Crossing averages of one coin; periods, amount and coin have names. */
const visual = {
  ...graphFrom([
    ['close', 'crypto.candle', { symbol: refer('coin'), interval: '5m' }],
    ['fast', 'indicator', { kind: 'sma', period: refer('fast') }, { in: 'close' }],
    ['slow', 'indicator', { kind: 'sma', period: refer('slow') }, { in: 'close' }],
    ['above', 'compare', { op: 'gt' }, { a: 'fast', b: 'slow' }],
    ['below', 'compare', { op: 'lt' }, { a: 'fast', b: 'slow' }],
    ['amount', 'constant', { value: refer('amount') }],
    buyAtMarket({ when: 'above', amount: 'amount' }, { instrument: refer('coin'), ifTrueAtDeploy: 'wait' }),
    ['sell', 'close', { instrument: refer('coin') }, { when: 'below' }],
  ]),
  parameters: {
    coin: { value: SYMBOLS[0] },
    fast: { value: 5, min: 2, max: 50 },
    slow: { value: 20, min: 2, max: 100 },
    amount: { value: 0.1 },
  },
};
const SPACE: Space = {
  dimensions: [
    { pointer: '/parameters/coin/value', values: SYMBOLS },
    { pointer: '/parameters/fast/value', values: [3, 5] },
    { pointer: '/parameters/slow/value', values: [10, 20] },
    { pointer: '/parameters/amount/value', values: [0.1, 0.2] },
  ],
  constraints: [{ less: '/parameters/fast/value', than: '/parameters/slow/value' }],
};

test('one request sweeps three named parameters over fifty coins, each trial as a backtest of its own graph', () => {
  const { openTimeMs } = recordedBars().columns;
  const from = openTimeMs[25] ?? 0;
  const backtest = requestOf(
    { from: iso(from), to: iso(from + 45 * BAR_MS) },
    { cash: '100000', fills: IDEAL_FILLS },
  );
  const request: SweepRequest = {
    backtest,
    space: SPACE,
    search: { kind: 'grid' },
    objective: { statistic: 'netProfit', minTrades: 0 },
    walkForward: null,
  };
  // Each coin has prices of another time.
  const at = {
    openTimeMs: openTimeMs.slice(0, BARS),
    closeTimeMs: recordedBars().columns.closeTimeMs.slice(0, BARS),
  };
  const histories = SYMBOLS.map((symbol, index) => {
    const { columns, ...bars } = cut(recordedBars(), 1_000 * index, 1_000 * index + BARS);
    return historyOf(symbol, BAR_MS, { ...bars, columns: { ...columns, ...at } });
  });
  const facts = SYMBOLS.map((symbol) => factFromStart({ ...FREE_COIN, token_id: symbol, market: symbol }));
  const input = inputOf(backtest, { visual, facts, histories });

  const plan = planOf(request, visual);
  expect(plan.refused).toEqual([]);
  expect(plan.combinations).toHaveLength(400);
  expect(plan.needs.series.map(({ key }) => key.tokenId).sort()).toEqual(SYMBOLS.toSorted());

  const runner = new TrialRunner(input, SPACE, plan.candles);
  const trials = plan.combinations.map((combination) => {
    const trial = runner.run(combination, rangeOf(request), () => false);
    if (trial === null) throw new Error('The trial was canceled, though no request did.');
    return trial;
  });
  expect(new Set(trials.map(({ figures }) => figures.netProfit)).size).toBeGreaterThan(100);
  const ranked = rankTrials(trials, request.objective);
  for (const { trial } of [ranked[0], ranked.at(-1)].flatMap((each) => each ?? [])) {
    const [coin] = scalarsOf(SPACE, trial.combination);
    const single = run({
      ...input,
      visual: graphWith(visual, SPACE, trial.combination),
      histories: histories.filter(({ key }) => key.tokenId === coin),
    });
    expect(trial.resultHash).toBe(single.summary.resultHash);
  }
});

import { planOf, rangeOf } from '../../engine/research/search/plan.ts';
import type { SweepRequest } from '../../engine/research/search/request.ts';
import type { Trial } from '../../engine/research/search/trial.ts';
import { TrialRunner } from '../../engine/research/search/trial-runner.ts';
import { chosenOf, walkForwardOf } from '../../engine/research/search/walk-forward.ts';
import { FREE_COIN, factFromStart, inputOf, requestOf } from './backtest.ts';
import { barsFrom, historyOf } from './bars.ts';
import type { Drawn, Noise, Outcome } from './noise.ts';
import { FROM_MS, walkOf } from './noise.ts';

const SYMBOL = 'BTCUSDT';
const CASH = 1_000_000;

/** Bars of four hours over 40 days, which are 240. */
const FOLDS = { trainDays: 10, testDays: 5, stepDays: 5, isAnchored: false, holdingDays: 1 } as const;

/**
 * Sweeps over a constant of a graph, on one walk: the total result of all trials, and the results of a walk-forward's choices
 * on the days after them. The best trial of a sweep is chosen by its result and proves nothing.
 */
export function sweepOn(noise: Noise, { name, visual }: Drawn, values: readonly number[], seed: number) {
  const barMs = noise.barSec * 1_000;
  const backtest = requestOf(
    {
      from: new Date(FROM_MS).toISOString(),
      to: new Date(FROM_MS + noise.bars * barMs).toISOString(),
    },
    { cash: String(CASH), fills: { halfSpread: '0' } },
  );
  const request: SweepRequest = {
    backtest,
    space: { dimensions: [{ pointer: pointerOf(visual), values: [...values] }], constraints: [] },
    search: { kind: 'grid' },
    objective: { statistic: 'netProfit', minTrades: 1 },
    walkForward: FOLDS,
  };
  const { coarse } = walkOf(noise, seed, null);
  const input = inputOf(backtest, {
    visual,
    facts: [factFromStart(FREE_COIN)],
    histories: [historyOf(SYMBOL, barMs, barsFrom(FROM_MS, barMs, coarse))],
  });
  const plan = planOf(request, visual);
  const runner = new TrialRunner(input, request.space, plan.candles);
  const all = (range: Parameters<TrialRunner['run']>[1]): Trial[] =>
    plan.combinations.flatMap((combination) => runner.run(combination, range, () => false) ?? []);
  const swept = all(rangeOf(request));
  const folds = plan.folds.map((ranges) => {
    const train = all(ranges.train);
    const chosen = chosenOf(train, request.objective);
    const test = chosen === null ? null : runner.run(chosen.combination, ranges.test, () => false);
    return { ranges, train, test };
  });
  const tested = folds.flatMap(({ test }) => test?.returns ?? []);
  const { outOfSample } = walkForwardOf(request, folds, plan.embargoDays);
  return {
    swept: outcomeOf(name, sumByDay(swept), swept),
    walked: outcomeOf(
      name,
      tested,
      folds.flatMap(({ test }) => test ?? []),
    ),
    outOfSample,
  };
}

/** The path of the constant `down` in a graph. */
const pointerOf = (visual: unknown): string => {
  const { nodes } = visual as { nodes: readonly { id: string }[] };
  return `/nodes/${nodes.findIndex(({ id }) => id === 'down')}/data/config/value`;
};

const sumByDay = (trials: readonly Trial[]): number[] =>
  (trials[0]?.returns ?? []).map((_, day) =>
    trials.reduce((sum, { returns }) => sum + (returns[day] ?? 0), 0),
  );

/** Returns of days as money; there are no costs. */
const outcomeOf = (name: string, returns: readonly number[], trials: readonly Trial[]): Outcome => ({
  name,
  trades: trials.reduce((sum, { figures }) => sum + figures.closed, 0),
  net: CASH * returns.reduce((sum, each) => sum + each, 0),
  costs: 0,
  error: CASH * Math.sqrt(returns.reduce((sum, each) => sum + each * each, 0)),
});

/** The full plan of a sweep, known before the first run: a pure function of its request. */

import { candleKey } from '../../strategy/graph/candles.ts';
import type { CandleNeed, Needs } from '../../strategy/graph/types.ts';
import { intrabarTriggersOf } from '../playback/intrabar-triggers.ts';
import { type RunDataNeeds, runDataNeedsOf, type SeriesNeed } from '../playback/run-data-needs.ts';
import { compileCombinations, type RefusedCombination } from './compile-combinations.ts';
import type { SweepRequest } from './request.ts';
import { type Combination, graphWith } from './space.ts';
import type { Range } from './trial.ts';
import { embargoOf, type FoldRanges, foldsOf } from './walk-forward.ts';

export type SweepPlan = {
  /** A trial's number is its index here. */
  readonly combinations: readonly Combination[];
  readonly refused: readonly RefusedCombination[];
  /** The data that all trials together read. */
  readonly needs: RunDataNeeds;
  /** For each series of candles, the longest window of any trial. */
  readonly candles: readonly CandleNeed[];
  readonly embargoDays: number;
  readonly folds: readonly FoldRanges[];
};

export const rangeOf = ({ backtest }: Pick<SweepRequest, 'backtest'>): Range => ({
  fromMs: Date.parse(backtest.from),
  toMs: Date.parse(backtest.to),
});

export function planOf(request: SweepRequest, visual: unknown): SweepPlan {
  const { backtest, space, walkForward } = request;
  const { trials, refused } = compileCombinations(visual, request);
  const needs = trials.map(({ combination, needs: of }) =>
    runNeedsOf(of, graphWith(visual, space, combination), backtest),
  );
  const embargoDays =
    walkForward === null
      ? 0
      : embargoOf(
          trials.map((trial) => trial.needs),
          walkForward,
        );
  return {
    combinations: trials.map(({ combination }) => combination),
    refused,
    needs: together(needs),
    candles: longest(trials.flatMap((trial) => trial.needs.candles)),
    embargoDays,
    folds: walkForward === null ? [] : foldsOf(rangeOf(request), walkForward, embargoDays),
  };
}

export const runNeedsOf = (needs: Needs, visual: unknown, backtest: SweepRequest['backtest']): RunDataNeeds =>
  runDataNeedsOf(needs, intrabarTriggersOf(visual), backtest);

/** Returns the key of a series. */
export const seriesName = ({ key }: Pick<SeriesNeed, 'key'>): string =>
  `${key.venue} ${key.tokenId} ${key.kind} ${key.resolutionMs}`;

/** Merges the needs of several runs. */
function together(needs: readonly RunDataNeeds[]): RunDataNeeds {
  const quotes = needs.flatMap((of) => of.quotes).map((need) => [need.tokenId, need] as const);
  const series = wholeOf(needs.flatMap((of) => of.series));
  const read = new Set(series.map(seriesName));
  return {
    series,
    minutes: wholeOf(needs.flatMap((of) => of.minutes)).filter((need) => !read.has(seriesName(need))),
    quotes: [...new Map(quotes).values()],
    signals: [...new Set(needs.flatMap(({ signals }) => signals))].sort(),
    instruments: [...new Set(needs.flatMap(({ instruments }) => instruments))].sort(),
    listings: [...new Set(needs.flatMap(({ listings }) => listings))].sort(),
    evaluations: needs.reduce((sum, { evaluations }) => sum + evaluations, 0),
  };
}

/** Merges the ranges of each series; required if any run requires it. */
function wholeOf(needs: readonly SeriesNeed[]): SeriesNeed[] {
  const series = new Map<string, SeriesNeed>();
  for (const need of needs) {
    const known = series.get(seriesName(need)) ?? need;
    series.set(seriesName(need), {
      key: need.key,
      fromMs: Math.min(need.fromMs, known.fromMs),
      toMs: Math.max(need.toMs, known.toMs),
      isOptional: need.isOptional && known.isOptional,
    });
  }
  return [...series.values()];
}

function longest(needs: readonly CandleNeed[]): CandleNeed[] {
  const byKey = new Map<string, CandleNeed>();
  for (const need of needs) {
    const key = candleKey(need.symbol, need.interval);
    const known = byKey.get(key) ?? need;
    byKey.set(key, { ...need, window: Math.max(need.window, known.window), open: need.open || known.open });
  }
  return [...byKey.values()];
}

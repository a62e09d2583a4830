/** Chooses parameters on one span, and tests them on the next. */

import { nextCandleOpen } from '../../../venues/parse/intervals.ts';
import { DAYS_A_YEAR, sharpe } from '../../books/statistics/daily-returns.ts';
import { mean } from '../../books/statistics/moments.ts';
import { missingRatio, type Ratio, ratio } from '../../books/statistics/ratio.ts';
import type { Needs } from '../../strategy/graph/types.ts';
import { rankTrials } from './ranking.ts';
import type { Scalar, SweepRequest, WalkForwardRequest } from './request.ts';
import { type Combination, scalarsOf } from './space.ts';
import type { Range, Trial, TrialFigures } from './trial.ts';

const DAY_MS = 86_400_000;

/** A fold: training, then a pause, then the test. */
export type FoldRanges = { readonly train: Range; readonly test: Range };

/**
 * Returns the distance between test and training, whole days: the longest window of any combination, plus the expected duration
 * of a position.
 */
export function embargoOf(
  needs: readonly Pick<Needs, 'candles'>[],
  { holdingDays }: WalkForwardRequest,
): number {
  const windows = needs.flatMap(({ candles }) =>
    candles.map(({ interval, window }) => window * nextCandleOpen(interval, 0)),
  );
  const longest = windows.reduce((most, window) => Math.max(most, window), 0);
  return Math.ceil(longest / DAY_MS) + holdingDays;
}

/**
 * Returns the folds that fit completely into a range, oldest first. Tests do not overlap each other, nor any training before
 * them.
 */
export function foldsOf(
  { fromMs, toMs }: Range,
  walk: WalkForwardRequest,
  embargoDays: number,
): FoldRanges[] {
  const folds: FoldRanges[] = [];
  for (let fold = 0; ; fold++) {
    const trainTo = fromMs + (walk.trainDays + fold * walk.stepDays) * DAY_MS;
    const testFrom = trainTo + embargoDays * DAY_MS;
    const testTo = testFrom + walk.testDays * DAY_MS;
    if (testTo > toMs) return folds;
    folds.push({
      train: { fromMs: walk.isAnchored ? fromMs : trainTo - walk.trainDays * DAY_MS, toMs: trainTo },
      test: { fromMs: testFrom, toMs: testTo },
    });
  }
}

/** A fold with the trial chosen in training, and its result in the test. */
export type FoldTrials = {
  readonly ranges: FoldRanges;
  readonly train: readonly Trial[];
  readonly test: Trial | null;
};

/** Chooses the best combination of a fold's training; null if none can be ranked. */
export const chosenOf = (train: readonly Trial[], objective: SweepRequest['objective']): Trial | null =>
  rankTrials(train, objective)[0]?.trial ?? null;

export type Fold = FoldRanges & {
  /** Null if no trial of the training could be ranked: nothing was traded in the test. */
  readonly combination: Combination | null;
  readonly values: readonly Scalar[] | null;
  readonly inSample: TrialFigures | null;
  readonly outOfSample: TrialFigures | null;
  /** Whether it held positions in training for longer than training and test are apart. */
  readonly isHeldTooLong: boolean;
};

/** Daily returns of one part of all folds, concatenated. */
export type Stitched = {
  readonly days: number;
  readonly totalReturn: number;
  /** The mean daily return, times 365. */
  readonly yearly: number;
  readonly sharpe: Ratio;
};

export type WalkForward = {
  readonly embargoDays: number;
  readonly folds: readonly Fold[];
  readonly inSample: Stitched;
  readonly outOfSample: Stitched;
  /** Yearly return out of sample for each unit in sample; null without a gain in sample. */
  readonly efficiency: Ratio;
  /** The end of each tested day, and the growth of the initial equity by then, as a factor. */
  readonly curve: readonly { readonly atMs: number; readonly factor: number }[];
};

/** Pure. */
export function walkForwardOf(
  { space, objective }: Pick<SweepRequest, 'space' | 'objective'>,
  trials: readonly FoldTrials[],
  embargoDays: number,
): WalkForward {
  const folds = trials.map(({ ranges, train, test }) => {
    const chosen = chosenOf(train, objective);
    return { ranges, chosen, test: chosen === null ? null : test };
  });
  const inSample = stitched(folds.flatMap(({ chosen }) => chosen?.returns ?? []));
  const outOfSample = stitched(folds.flatMap(({ test, ranges }) => returnsOf(test, ranges.test)));
  return {
    embargoDays,
    folds: folds.map(({ ranges, chosen, test }) => ({
      ...ranges,
      combination: chosen?.combination ?? null,
      values: chosen && scalarsOf(space, chosen.combination),
      inSample: chosen?.figures ?? null,
      outOfSample: test?.figures ?? null,
      isHeldTooLong: (chosen?.figures.heldMaxMs ?? 0) > embargoDays * DAY_MS,
    })),
    inSample,
    outOfSample,
    efficiency:
      inSample.yearly > 0 ? ratio(outOfSample.yearly / inSample.yearly, 'too_few') : missingRatio('no_wins'),
    curve: curveOf(folds),
  };
}

/** A fold without a choice traded nothing. */
const returnsOf = (test: Trial | null, { fromMs, toMs }: Range): readonly number[] =>
  test?.returns ?? Array.from({ length: (toMs - fromMs) / DAY_MS }, () => 0);

function stitched(returns: readonly number[]): Stitched {
  return {
    days: returns.length,
    totalReturn: returns.reduce((factor, value) => factor * (1 + value), 1) - 1,
    yearly: returns.length === 0 ? 0 : mean(returns) * DAYS_A_YEAR,
    sharpe: sharpe(returns),
  };
}

function curveOf(
  folds: readonly { readonly ranges: FoldRanges; readonly test: Trial | null }[],
): WalkForward['curve'] {
  let factor = 1;
  return folds.flatMap(({ ranges: { test: range }, test }) =>
    returnsOf(test, range).map((value, day) => {
      factor *= 1 + value;
      return { atMs: range.fromMs + (day + 1) * DAY_MS, factor };
    }),
  );
}

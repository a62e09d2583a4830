/** Ranks trials, and examines the neighbours of the best one. */
import { median } from '../../books/statistics/moments.ts';
import type { Scalar, Space, SweepRequest } from './request.ts';
import { type Combination, valuesOf } from './space.ts';
import { scoreOf, type Trial } from './trial.ts';

export type Scored = { readonly trial: Trial; readonly score: number };

/** Sorts best first: more of the objective, then less drawdown, then the earlier one. Trials without a score are left out. */
export function rankTrials(trials: readonly Trial[], objective: SweepRequest['objective']): Scored[] {
  const scored = trials.flatMap((trial) => {
    const score = scoreOf(trial, objective);
    return score === null ? [] : [{ trial, score }];
  });
  return scored.sort(
    (a, b) => b.score - a.score || a.trial.figures.maxDrawdown - b.trial.figures.maxDrawdown,
  );
}

/** A dimension with fewer values has only edges. */
const INSIDE_FROM = 3;

/** Returns the pointers at whose first or last value a combination lies: values beyond were not tried. */
export function rangeEndsHit({ dimensions }: Space, combination: Combination): string[] {
  return dimensions.flatMap((dimension, index) => {
    const values = valuesOf(dimension);
    const isOrdered = values.every((value) => typeof value === 'number');
    const at = combination[index] ?? 0;
    const isEdge = at === 0 || at === values.length - 1;
    return isOrdered && values.length >= INSIDE_FROM && isEdge ? [dimension.pointer] : [];
  });
}

/** Returns the scores of trials at most one step away in every dimension. */
export function neighbourScores(scored: readonly Scored[], combination: Combination): number[] {
  return scored
    .filter(({ trial }) => {
      const steps = trial.combination.map((at, index) => Math.abs(at - (combination[index] ?? 0)));
      return Math.max(...steps) === 1;
    })
    .map(({ score }) => score);
}

/** Scores of the trials with one value of a dimension. */
export type ValueScores = {
  readonly value: Scalar;
  readonly trials: number;
  readonly median: number | null;
  readonly best: number | null;
};

export type DimensionProfile = { readonly pointer: string; readonly values: readonly ValueScores[] };

/** Returns how each dimension changes the score, over all values of the others. */
export function dimensionProfileOf({ dimensions }: Space, scored: readonly Scored[]): DimensionProfile[] {
  return dimensions.map((dimension, index) => {
    const byValue = Map.groupBy(scored, ({ trial }) => trial.combination[index] ?? -1);
    return {
      pointer: dimension.pointer,
      values: valuesOf(dimension).map((value, at) => {
        const scores = (byValue.get(at) ?? []).map(({ score }) => score);
        return {
          value,
          trials: scores.length,
          median: scores.length === 0 ? null : median(scores),
          best: scores.length === 0 ? null : scores.reduce((most, score) => Math.max(most, score)),
        };
      }),
    };
  });
}

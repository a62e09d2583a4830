import { dailySharpe } from '../../books/statistics/days.ts';
import { deflatedSharpe, probabilityOfOverfitting } from '../../books/statistics/overfitting.ts';
import type { Ratio } from '../../books/statistics/ratio.ts';
import type { Scored } from './ranking.ts';
import type { Scalar, Space } from './request.ts';
import { type Combination, scalarsOf } from './space.ts';
import type { Trial, TrialFigures } from './trial.ts';

/** The best trial with the two figures that say what its return is worth: the one is never told without the others. */
export type Best = {
  readonly combination: Combination;
  readonly values: readonly Scalar[];
  readonly score: number;
  readonly figures: TrialFigures;
  /** How probable it is that its true Sharpe ratio is above what the best of as many trials shows by luck alone. */
  readonly deflatedSharpe: Ratio;
  /** How probable it is that the best of what is known lies in the lower half of what follows. */
  readonly probabilityOfOverfitting: Ratio;
};

/** `trialsEver` is how many were made on this blueprint and range, these among them. */
export const bestOf = (
  space: Space,
  { trial, score }: Scored,
  { trials, trialsEver }: { readonly trials: readonly Trial[]; readonly trialsEver: number },
): Best => ({
  combination: trial.combination,
  values: scalarsOf(space, trial.combination),
  score,
  figures: trial.figures,
  deflatedSharpe: deflatedSharpe(trial.returns, sharpesOf(trials), trialsEver),
  probabilityOfOverfitting: probabilityOfOverfitting(trials.map(({ returns }) => returns)),
});

/** Of those that moved. */
const sharpesOf = (trials: readonly Trial[]): number[] =>
  trials.flatMap(({ returns }) => dailySharpe(returns).value ?? []);

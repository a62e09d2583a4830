import { dailySharpe } from '../../books/statistics/daily-returns.ts';
import { deflatedSharpe, probabilityOfOverfitting } from '../../books/statistics/overfitting.ts';
import type { Ratio } from '../../books/statistics/ratio.ts';
import type { Scored } from './ranking.ts';
import type { Scalar, Space } from './request.ts';
import { type Combination, scalarsOf } from './space.ts';
import type { Trial, TrialFigures } from './trial.ts';

/** The best trial, always together with the two figures that qualify its return. */
export type BestTrial = {
  readonly combination: Combination;
  readonly values: readonly Scalar[];
  readonly score: number;
  readonly figures: TrialFigures;
  /** Probability that its true Sharpe ratio exceeds the best one that luck alone gives with as many trials. */
  readonly deflatedSharpe: Ratio;
  /** Probability that the best on known data is in the lower half on later data. */
  readonly probabilityOfOverfitting: Ratio;
};

/** `trialsEver`: number of trials ever made on this blueprint and range, including these. */
export const qualifyBestTrial = (
  space: Space,
  { trial, score }: Scored,
  { trials, trialsEver }: { readonly trials: readonly Trial[]; readonly trialsEver: number },
): BestTrial => ({
  combination: trial.combination,
  values: scalarsOf(space, trial.combination),
  score,
  figures: trial.figures,
  deflatedSharpe: deflatedSharpe(trial.returns, sharpesOf(trials), trialsEver),
  probabilityOfOverfitting: probabilityOfOverfitting(trials.map(({ returns }) => returns)),
});

/** Returns the Sharpe ratios of trials whose equity changed. */
const sharpesOf = (trials: readonly Trial[]): number[] =>
  trials.flatMap(({ returns }) => dailySharpe(returns).value ?? []);

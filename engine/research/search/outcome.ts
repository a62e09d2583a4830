/** The outcome of a sweep, and its verdicts. */
import type { Verdict } from '../playback/result.ts';
import { type BestTrial, qualifyBestTrial } from './qualify-best-trial.ts';
import { type DimensionProfile, dimensionProfileOf, rankTrials } from './ranking.ts';
import type { SweepRequest } from './request.ts';
import type { Trial } from './trial.ts';
import { verdictsOf } from './verdicts.ts';
import type { WalkForward } from './walk-forward.ts';

export type SweepOutcome = {
  /** Null if no trial has the objective and enough trades. */
  readonly best: BestTrial | null;
  /** Gravest first. */
  readonly verdicts: readonly Verdict[];
  readonly profile: readonly DimensionProfile[];
  readonly trials: number;
  /** Number of trials ever made on this blueprint and range, including those of this sweep. */
  readonly trialsEver: number;
  readonly walkForward: WalkForward | null;
};

/** Pure. `trials` are over the whole range, in the order of their numbers. */
export function outcomeOf(
  { space, objective }: Pick<SweepRequest, 'space' | 'objective'>,
  {
    trials,
    trialsEver,
    walkForward,
  }: {
    readonly trials: readonly Trial[];
    readonly trialsEver: number;
    readonly walkForward: WalkForward | null;
  },
): SweepOutcome {
  const scored = rankTrials(trials, objective);
  const [first] = scored;
  const best = first === undefined ? null : qualifyBestTrial(space, first, { trials, trialsEver });
  return {
    best,
    verdicts: verdictsOf({ space, scored, best, walkForward }),
    profile: dimensionProfileOf(space, scored),
    trials: trials.length,
    trialsEver,
    walkForward,
  };
}

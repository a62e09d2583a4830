/** The outcome of a sweep, and its verdicts. */
import type { Verdict } from '../playback/result.ts';
import { type Best, bestOf } from './best.ts';
import { type DimensionProfile, profileOf, ranked } from './ranking.ts';
import type { SweepRequest } from './request.ts';
import type { Trial } from './trial.ts';
import { verdictsOf } from './verdicts.ts';
import type { WalkForward } from './walk-forward.ts';

export type SweepOutcome = {
  /** Null if no trial has the objective and enough trades. */
  readonly best: Best | null;
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
  const scored = ranked(trials, objective);
  const [first] = scored;
  const best = first === undefined ? null : bestOf(space, first, { trials, trialsEver });
  return {
    best,
    verdicts: verdictsOf({ space, scored, best, walkForward }),
    profile: profileOf(space, scored),
    trials: trials.length,
    trialsEver,
    walkForward,
  };
}

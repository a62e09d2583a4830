/** Messages between the process and its threads about a sweep. */

import type { StoredQuotes } from '../../../engine/research/backtests/recorded-quotes.ts';
import type { BacktestInput } from '../../../engine/research/playback/input.ts';
import type { SweepOutcome } from '../../../engine/research/search/outcome.ts';
import type { SweepPlan } from '../../../engine/research/search/plan.ts';
import type { SweepRequest } from '../../../engine/research/search/request.ts';
import type { Combination } from '../../../engine/research/search/space.ts';
import type { Range, Trial } from '../../../engine/research/search/trial.ts';
import type { WalkForward } from '../../../engine/research/search/walk-forward.ts';
import type { SweepFailure } from '../../../engine/research/sweeps/row.ts';
import type { NumberedTrial } from '../../../engine/research/sweeps/trials.ts';

/** The common input of all trials of a sweep: its columns are in shared memory, its quotes still packed. */
export type SweepMaterial = {
  readonly input: Omit<BacktestInput, 'recorded'>;
  readonly quotes: readonly StoredQuotes[];
};

export type SweepTask =
  | { readonly kind: 'plan'; readonly request: SweepRequest; readonly visual: unknown }
  | {
      readonly kind: 'trials';
      readonly sweepId: string;
      readonly material: SweepMaterial;
      readonly space: SweepRequest['space'];
      readonly candles: SweepPlan['candles'];
      readonly range: Range;
      readonly runs: readonly { readonly number: number; readonly combination: Combination }[];
    }
  | {
      readonly kind: 'outcome';
      readonly request: Pick<SweepRequest, 'space' | 'objective'>;
      readonly trials: readonly Trial[];
      readonly trialsEver: number;
      readonly walkForward: WalkForward | null;
    };

export type SweepAnswer =
  | { readonly kind: 'planned'; readonly plan: SweepPlan }
  /** Fewer than requested if it was stopped. */
  | { readonly kind: 'tried'; readonly trials: readonly NumberedTrial[] }
  | { readonly kind: 'evaluated'; readonly outcome: SweepOutcome }
  | { readonly kind: 'failed'; readonly failure: SweepFailure };

/** What the process and its threads say to each other about a sweep. */
import type { BacktestInput } from '../../engine/backtest/input.ts';
import type { StoredQuotes } from '../../engine/backtests/quotes.ts';
import type { SweepOutcome } from '../../engine/sweep/outcome.ts';
import type { SweepPlan } from '../../engine/sweep/plan.ts';
import type { SweepRequest } from '../../engine/sweep/request.ts';
import type { Combination } from '../../engine/sweep/space.ts';
import type { Range, Trial } from '../../engine/sweep/trial.ts';
import type { WalkForward } from '../../engine/sweep/walk-forward.ts';
import type { SweepFailure } from '../../engine/sweeps/row.ts';
import type { NumberedTrial } from '../../engine/sweeps/trials.ts';

/** All trials of a sweep are made of this: its columns lie in shared memory, its quotes are still packed. */
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
  /** Fewer than were asked for where it was stopped. */
  | { readonly kind: 'tried'; readonly trials: readonly NumberedTrial[] }
  | { readonly kind: 'judged'; readonly outcome: SweepOutcome }
  | { readonly kind: 'failed'; readonly failure: SweepFailure };

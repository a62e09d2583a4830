/** Messages between the process and its threads about a backtest. */

import type { StoredPart } from '../../../engine/research/backtests/parts.ts';
import type { StoredQuotes } from '../../../engine/research/backtests/recorded-quotes.ts';
import type { BacktestInput, BacktestProgress } from '../../../engine/research/playback/input.ts';
import type { BacktestFailure, BacktestSummary } from '../../../engine/research/playback/result.ts';

/** A run as it is sent to a thread: its columns are in shared memory, its quotes still packed. */
export type BacktestTask = {
  readonly input: Omit<BacktestInput, 'recorded'>;
  readonly quotes: readonly StoredQuotes[];
};

export type BacktestUpdate =
  | { readonly kind: 'part'; readonly part: StoredPart }
  | { readonly kind: 'progress'; readonly progress: BacktestProgress };

export type BacktestAnswer =
  /** `isComplete`: the run and its checks were not cut off, though repetitions with changed assumptions may have been. */
  | { readonly kind: 'ended'; readonly summary: BacktestSummary; readonly isComplete: boolean }
  | { readonly kind: 'failed'; readonly failure: BacktestFailure }
  /** A bug in the service, for the log. */
  | { readonly kind: 'broke'; readonly error: string };

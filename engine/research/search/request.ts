/** What a sweep is asked to do: the stored form, every default written out. */
import type { BacktestRequest } from '../playback/request.ts';

/** What a place of a drawing may hold. */
export type Scalar = number | string | boolean;

/** One place of the drawing that is tried with several values. */
export type Dimension = {
  /** JSON Pointer into the drawing: `/nodes/3/data/config/period`. There is something there already. */
  readonly pointer: string;
} & (
  | { readonly values: readonly Scalar[] }
  /** `from`, `from + step`, …, at most `to`. */
  | { readonly from: number; readonly to: number; readonly step: number }
);

/** Both JSON Pointers: only combinations in which the first number is below the second are tried. */
export type Constraint = { readonly less: string; readonly than: string };

export type Space = {
  readonly dimensions: readonly Dimension[];
  readonly constraints: readonly Constraint[];
};

/** All combinations, or so many of them drawn at random: equal seeds draw equal ones. */
export type Search =
  | { readonly kind: 'grid' }
  | { readonly kind: 'random'; readonly count: number; readonly seed: number };

/** What trials are ranked by: more is better. */
export const OBJECTIVES = [
  'sharpe',
  'sortino',
  'calmar',
  'totalReturn',
  'netProfit',
  'profitFactor',
  'expectancy',
  'sqn',
] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** Chosen on what came before, judged on what came after, again and again. Whole UTC days. */
export type WalkForwardRequest = {
  readonly trainDays: number;
  readonly testDays: number;
  /** From one fold to the next; at least `testDays`, so that no day is judged twice. */
  readonly stepDays: number;
  /** Training always begins at the start, and so becomes longer. */
  readonly isAnchored: boolean;
  /** How long a position is thought to be held: with the longest window it keeps training and test apart. */
  readonly holdingDays: number;
};

export type SweepRequest = {
  /** One trial, but for the drawing. */
  readonly backtest: BacktestRequest;
  readonly space: Space;
  readonly search: Search;
  readonly objective: { readonly statistic: Objective; readonly minTrades: number };
  readonly walkForward: WalkForwardRequest | null;
};

export const SWEEP_DEFAULTS = {
  search: { kind: 'grid' },
  objective: { statistic: 'sharpe', minTrades: 30 },
  walkForward: null,
} as const satisfies Pick<SweepRequest, 'search' | 'objective' | 'walkForward'>;

export const DIMENSIONS_MAX = 8;
export const TRIALS_MAX = 10_000;
export const VALUES_MAX = 1_000;
export const FOLDS_MAX = 200;

/** The request of a sweep: the stored form, with all defaults written out. */
import type { BacktestRequest } from '../playback/request.ts';

/** A value that a setting of a graph may have. */
export type Scalar = number | string | boolean;

/** One setting of the graph that is tried with several values. */
export type Dimension = {
  /** JSON Pointer into the graph: `/nodes/3/data/config/period`. The value must exist already. */
  readonly pointer: string;
} & (
  | { readonly values: readonly Scalar[] }
  /** `from`, `from + step`, …, at most `to`. */
  | { readonly from: number; readonly to: number; readonly step: number }
);

/** Both are JSON Pointers: only combinations with the first number below the second are tried. */
export type Constraint = { readonly less: string; readonly than: string };

export type Space = {
  readonly dimensions: readonly Dimension[];
  readonly constraints: readonly Constraint[];
};

/** All combinations, or `count` of them chosen at random: equal seeds choose equal ones. */
export type Search =
  | { readonly kind: 'grid' }
  | { readonly kind: 'random'; readonly count: number; readonly seed: number };

/** Figures by which trials are ranked: more is better. */
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

/** Repeatedly chooses on earlier data and tests on later data. Whole UTC days. */
export type WalkForwardRequest = {
  readonly trainDays: number;
  readonly testDays: number;
  /** Distance between folds; at least `testDays`, so that no day is tested twice. */
  readonly stepDays: number;
  /** Training always begins at the start, and so becomes longer. */
  readonly isAnchored: boolean;
  /** Expected duration of a position: together with the longest window it separates training and test. */
  readonly holdingDays: number;
};

export type SweepRequest = {
  /** The backtest of each trial, without the graph. */
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

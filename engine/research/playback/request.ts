/** The request of a backtest: the stored form, with all defaults written out. */

import type { Members } from '../../strategy/graph/series-lists.ts';

/** Source of quotes. `auto`: recorded ones if they cover the beginning, else bars; `recorded`: whenever they begin. */
export type QuoteSource = 'auto' | 'recorded' | 'bars';
/** The finest history that is used inside a bar of the strategy. */
export type Detail = 'auto' | '1s' | '1m' | 'none';
/** Paths inside bars: any, or those that reach one extreme first. `both` plays all and shows the lowest end. */
export type HighLow = 'likely' | 'high_first' | 'low_first' | 'both';

export type BacktestRequest = {
  /** null: a graph without a blueprint. */
  readonly blueprintId: string | null;
  /** null: the draft, or the given graph. */
  readonly release: number | null;
  /** `[from, to)`, ISO instants. Candles for the warm-up are added before `from`. */
  readonly from: string;
  readonly to: string;
  /** Instruments of each list that is a series, as listed at any time of the span; a graph without a series has no such field. */
  readonly members?: NonNullable<Members>;
  /** Decimal string, USD: the equity at the start. */
  readonly cash: string;
  readonly seed: number;
  /** Risk-free return a year. */
  readonly riskFree: number;
  readonly data: {
    readonly source: QuoteSource;
    readonly detail: Detail;
    /** One token of the graph, and the instruments that replace it, one after the other. Each has its own `cash`. */
    readonly substitute: Readonly<Record<string, readonly string[]>>;
  };
  readonly fills: {
    /** Delay from decision to arrival. */
    readonly latencyMs: number;
    /** Decimal string in the unit of the price; `auto`: by venue and data. */
    readonly halfSpread: 'auto' | string;
    readonly slippageTicks: number;
    /** `share`: limited to `share` of the last closed bar's volume, and to the size of quotes. */
    readonly liquidity: 'share' | 'unlimited';
    readonly share: string;
    readonly highLow: HighLow;
  };
  readonly fees: 'schedule' | 'none';
  readonly risk: {
    /** The account's current rules, or a complete set, by the names of the risk rules. */
    readonly rules: 'account' | Readonly<Record<string, string | number>>;
    readonly approvals: { readonly policy: 'auto' | 'never'; readonly delaySec: number };
  };
  /** Whether the run is checked by repeating parts of it. */
  readonly checks: boolean;
  /** Whether the run is repeated with each assumption changed. */
  readonly sensitivity: boolean;
};

/** Pessimistic defaults: flattering settings must be requested. */
export const BACKTEST_DEFAULTS = {
  seed: 1,
  riskFree: 0,
  data: { source: 'auto', detail: 'auto', substitute: {} },
  fills: {
    latencyMs: 2_000,
    halfSpread: 'auto',
    slippageTicks: 0,
    liquidity: 'share',
    share: '0.1',
    highLow: 'likely',
  },
  fees: 'schedule',
  risk: { rules: 'account', approvals: { policy: 'auto', delaySec: 60 } },
  checks: true,
  sensitivity: false,
} as const satisfies Omit<BacktestRequest, 'blueprintId' | 'release' | 'from' | 'to' | 'cash'>;

/** A run with more evaluations is refused before the start. */
export const EVALUATIONS_MAX = 10_000_000;

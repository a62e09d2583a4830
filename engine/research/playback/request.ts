/** What a backtest is asked to do: the stored form, every default written out. */

/** Where quotes come from: `auto` recorded ones where they reach back to the beginning, else bars; `recorded` whenever they begin. */
export type QuoteSource = 'auto' | 'recorded' | 'bars';
/** The finest history that is looked at inside a bar of the strategy. */
export type Detail = 'auto' | '1s' | '1m' | 'none';
/** Which paths are drawn inside bars: any, or those that reach one extreme first. `both` plays all and shows the lowest end. */
export type HighLow = 'likely' | 'high_first' | 'low_first' | 'both';

export type BacktestRequest = {
  /** null: of a drawing alone. */
  readonly blueprintId: string | null;
  /** null: the draft, or the drawing given. */
  readonly release: number | null;
  /** `[from, to)`, ISO instants. Candles to warm up with are added before `from`. */
  readonly from: string;
  readonly to: string;
  /** Decimal string, USD: the equity at the start. */
  readonly cash: string;
  readonly seed: number;
  /** Riskless return of a year. */
  readonly riskFree: number;
  readonly data: {
    readonly source: QuoteSource;
    readonly detail: Detail;
    /** One token of the drawing, and the instruments it is run over instead, one after the other, each with its own `cash`. */
    readonly substitute: Readonly<Record<string, readonly string[]>>;
  };
  readonly fills: {
    /** From decision to arrival. */
    readonly latencyMs: number;
    /** Decimal string in the price's unit, or by venue and what is known. */
    readonly halfSpread: 'auto' | string;
    readonly slippageTicks: number;
    /** `share`: at most `share` of the last closed bar's volume, and what quotes show. */
    readonly liquidity: 'share' | 'unlimited';
    readonly share: string;
    readonly highLow: HighLow;
  };
  readonly fees: 'schedule' | 'none';
  readonly risk: {
    /** The account's rules as they are now, or all of them given, by the names of the risk rules. */
    readonly rules: 'account' | Readonly<Record<string, string | number>>;
    readonly approvals: { readonly policy: 'auto' | 'never'; readonly delaySec: number };
  };
  /** Whether the run is checked by running parts of it again. */
  readonly checks: boolean;
};

/** The pessimistic ones: what flatters has to be asked for. */
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
} as const satisfies Omit<BacktestRequest, 'blueprintId' | 'release' | 'from' | 'to' | 'cash'>;

/** More evaluations than this are refused before the start. */
export const EVALUATIONS_MAX = 10_000_000;

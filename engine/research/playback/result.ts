/**
 * The result of a run. Everything here is JSON; money and amounts are decimal strings, instants ISO or epoch ms by their names.
 */
import type { BenchmarkFigures } from '../../books/statistics/benchmark.ts';
import type { ResampledFigures } from '../../books/statistics/bootstrap.ts';
import type { ForecastScore } from '../../books/statistics/forecast-score.ts';
import type { Ratio } from '../../books/statistics/ratio.ts';
import type { Statistics } from '../../books/statistics/statistics.ts';
import type { Trade } from '../../books/statistics/trade-tracker.ts';

/** A: recorded books or quotes. B: bid and ask candles, or history of a second. C: bars with a path inside. D: midpoints only. */
export type Fidelity = 'A' | 'B' | 'C' | 'D';

/** A message to read before any figure: `danger` flatters or spoils the result, `warning` may, `info` states. */
export type Verdict = {
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'danger';
  readonly message: string;
  readonly count?: number;
};

/** An assumption made for missing data, its value, and whether it was requested. */
export type Assumption = { readonly name: string; readonly value: string; readonly why: string };

export type OrderCounts = {
  readonly intents: number;
  readonly orders: number;
  readonly filled: number;
  readonly partial: number;
  readonly unfilled: number;
  readonly canceled: number;
  readonly expired: number;
  /** Number of refusals by rule or reason. */
  readonly denied: Readonly<Record<string, number>>;
  /** Number of intents that would have waited for approval. */
  readonly approvals: number;
};

export type BacktestSummary = {
  readonly statistics: Statistics;
  readonly verdicts: readonly Verdict[];
  readonly assumptions: readonly Assumption[];
  readonly fidelity: Fidelity;
  /** Steps of the strategy: closes of candles only, recorded quotes, or a path inside bars. */
  readonly pace: 'candles' | 'quotes' | 'path';
  readonly orders: OrderCounts;
  readonly evaluations: number;
  readonly bars: number;
  readonly gaps: number;
  /** Bars that contain both a stop and a profit target, and the result either way if both were run. */
  readonly ambiguousBars: number;
  readonly range: { readonly low: string; readonly high: string } | null;
  readonly finalCash: string;
  readonly finalEquity: string;
  /** The value of the holdings sold at the market at the end, after fees and spread. */
  readonly exitEquity: string;
  readonly fees: string;
  /** Return of holding the first instrument; null for contracts. */
  readonly buyAndHold: number | null;
  /** Fills by grade, and the result of the trades whose worst fill has that grade. */
  readonly fillGrades: readonly {
    readonly grade: FillGrade;
    readonly fills: number;
    readonly profit: string;
  }[];
  /** Contracts that closed without settlement: their marked value, and `finalEquity` with all of them at 0 and at 1. */
  readonly unsettled: {
    readonly count: number;
    readonly worth: string;
    readonly low: string;
    readonly high: string;
  } | null;
  /**
   * Beside holding the traded coins in equal parts from the start, with costs. Null if a contract is traded, or a coin without a
   * price.
   */
  readonly benchmark: BenchmarkFigures | null;
  /** Costs against the midpoint at each order's decision, USD; below zero they are gains. */
  readonly costs: {
    readonly notional: string;
    /** The notional of orders decided at a known midpoint: all costs but the fee are of these. */
    readonly measuredNotional: string;
    readonly fee: string;
    readonly spread: string;
    readonly slippage: string;
    readonly delay: string;
    readonly unfilled: string;
    readonly orders: number;
    /** Orders decided without a bid or an ask: only their fees are in. Or ended so: their `unfilled` is not in. */
    readonly unmeasured: number;
  };
  /** Which part of the market's volume the fills took. */
  readonly capacity: {
    /** Bars in which one side of an instrument was filled. */
    readonly bars: number;
    /** The mean share of their volume that was taken. */
    readonly meanShare: Ratio;
    readonly maxShare: Ratio;
    /** How many times larger all orders may be before `maxShare` is the share that orders may take. */
    readonly roomFactor: Ratio;
    /** Fills whose volume is not known: of recorded quotes, midpoints or bars without any. */
    readonly unmeasured: number;
  };
  /** Figures of the same days in other orders and selections; null below 20 days. */
  readonly resampled: ResampledFigures | null;
  /** The graph's probabilities beside the market's; null for a graph without any. */
  readonly forecasts: ForecastScore | null;
  /** Results of ended trades by what they entered with. */
  readonly attribution: {
    readonly node: readonly AttributionRow[];
    readonly instrument: readonly AttributionRow[];
    readonly hour: readonly AttributionRow[];
    readonly weekday: readonly AttributionRow[];
    /** Empty without a benchmark. */
    readonly regime: readonly AttributionRow[];
  };
  /** The result with each assumption changed alone; null unless requested, and if cut off. */
  readonly sensitivity: readonly SensitivityRow[] | null;
  /** SHA-256 of the parts and of this summary without the hash, hex. */
  readonly resultHash: string;
};

export const SENSITIVITY_CHANGES = [
  'no_fees',
  'no_spread',
  'no_latency',
  'one_more_tick',
  'any_amount',
  'half_volume',
  'tenth_of_volume',
  'other_path',
] as const;
/** A changed assumption, and by how much USD the result is higher with it. */
export type SensitivityRow = {
  readonly change: (typeof SENSITIVITY_CHANGES)[number];
  readonly difference: string;
  readonly trades: number;
};

/** The ended trades of one node, instrument, hour (0-23, UTC), weekday (0 is Sunday, UTC) or regime. */
export type AttributionRow = {
  readonly of: string;
  readonly trades: number;
  readonly wins: number;
  readonly profit: string;
};

export type OrderPartRow = {
  readonly id: string;
  readonly at: string;
  readonly nodeId: string;
  readonly tokenId: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly amount: string;
  readonly limitPrice: string | null;
  readonly status: string;
  readonly statusReason: string | null;
  readonly filledAmount: string;
  readonly averagePrice: string | null;
  readonly reason: string;
  /** The receipt of the risk rules, in the form of the service. */
  readonly receipt: unknown;
};
/**
 * Grade of a fill: by a quote or a row of bids and asks; by a later trade through a resting order's limit; by the open or close
 * of a bar, with a spread around it; by the first bar after missing ones; by a midpoint; or by a generated path inside a bar.
 */
export const FILL_GRADES = ['quote', 'through', 'bar', 'gap', 'midpoint', 'path'] as const;
export type FillGrade = (typeof FILL_GRADES)[number];

export type FillPartRow = {
  readonly orderId: string;
  readonly at: string;
  readonly tokenId: string;
  readonly side: 'buy' | 'sell';
  readonly amount: string;
  readonly price: string;
  readonly fee: string;
  readonly source: 'order' | 'settlement';
  /** Null for settlements, and in results from before fills had one. */
  readonly grade: FillGrade | null;
};
export type TradePartRow = Trade;
export type EquityPartRow = { readonly atMs: number; readonly equity: string; readonly held: string };
export type LogPartRow = {
  readonly at: string;
  readonly code: string;
  readonly nodeId: string | null;
  readonly message: string;
};

/** Why a run ended without a result. */
export type BacktestFailure = {
  readonly code: 'no_history' | 'too_large' | 'out_of_memory' | 'timed_out' | 'look_ahead' | 'internal';
  readonly message: string;
};

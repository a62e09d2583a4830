/** What a run came to. Everything here is JSON; money and amounts are decimal strings, instants ISO or epoch ms by their names. */
import type { Statistics } from '../../books/statistics/statistics.ts';
import type { Trade } from '../../books/statistics/trades.ts';

/** A: recorded books or quotes. B: bid and ask candles, or history of a second. C: bars with a path inside. D: midpoints only. */
export type Fidelity = 'A' | 'B' | 'C' | 'D';

/** A line that is read before any figure: `danger` flatters or spoils the result, `warning` may, `info` states. */
export type Verdict = {
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'danger';
  readonly message: string;
  readonly count?: number;
};

/** What was assumed where nothing was recorded, and by whom it was chosen. */
export type Assumption = { readonly name: string; readonly value: string; readonly why: string };

export type OrderCounts = {
  readonly intents: number;
  readonly orders: number;
  readonly filled: number;
  readonly partial: number;
  readonly unfilled: number;
  readonly canceled: number;
  readonly expired: number;
  /** By rule or reason: how many were refused. */
  readonly denied: Readonly<Record<string, number>>;
  /** How many would have waited for a person. */
  readonly approvals: number;
};

export type BacktestSummary = {
  readonly statistics: Statistics;
  readonly verdicts: readonly Verdict[];
  readonly assumptions: readonly Assumption[];
  readonly fidelity: Fidelity;
  /** What steps the strategy: closes of candles only, recorded quotes, or a path inside bars. */
  readonly pace: 'candles' | 'quotes' | 'path';
  readonly orders: OrderCounts;
  readonly evaluations: number;
  readonly bars: number;
  readonly gaps: number;
  /** Bars in which both a stop and a profit lay, and the result either way where both were run. */
  readonly ambiguousBars: number;
  readonly range: { readonly low: string; readonly high: string } | null;
  readonly finalCash: string;
  readonly finalEquity: string;
  /** What the holdings would have brought at the market at the end, fees and spread taken off. */
  readonly exitEquity: string;
  readonly fees: string;
  /** Of the first instrument traded; null for contracts. */
  readonly buyAndHold: number | null;
  /** Fills by how they are known, and the result of the trades whose least known fill is of that grade. */
  readonly fillGrades: readonly {
    readonly grade: FillGrade;
    readonly fills: number;
    readonly profit: string;
  }[];
  /** Contracts that closed and were never settled: what they are marked at, and `finalEquity` with all of them at 0 and at 1. */
  readonly unsettled: {
    readonly count: number;
    readonly worth: string;
    readonly low: string;
    readonly high: string;
  } | null;
  /** Of the parts and this summary without the hash: SHA-256, hex. */
  readonly resultHash: string;
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
  /** The receipt of the risk rules, as the service words it. */
  readonly receipt: unknown;
};
/**
 * How a fill is known: by a quote or a row of bids and asks; by a later trade through a resting order's limit; by the open or
 * close of a bar, with a spread about it; by the first bar after missing ones; by a midpoint; or by a drawn path inside a bar.
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
  /** Null of settlements, and in results made before fills had one. */
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

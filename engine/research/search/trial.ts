/** The result of one run of a sweep, as far as runs are compared. */

import { DailyReturns, dayOf } from '../../books/statistics/daily-returns.ts';
import type { Ratio } from '../../books/statistics/ratio.ts';
import { exact } from '../../platform/decimal.ts';
import type { BacktestSummary, EquityPartRow, TradePartRow } from '../playback/result.ts';
import type { Objective } from './request.ts';
import type { Combination } from './space.ts';

/** Money is a decimal string in USD. */
export type TrialFigures = Readonly<Record<Exclude<Objective, 'netProfit'>, Ratio>> & {
  readonly netProfit: string;
  readonly cagr: Ratio;
  readonly probabilisticSharpe: Ratio;
  readonly winRate: Ratio;
  readonly exposure: Ratio;
  /** Share of the peak; 0 if the equity never fell. */
  readonly maxDrawdown: number;
  readonly closed: number;
  readonly open: number;
  /** Intents that the rules denied. */
  readonly denied: number;
  readonly fees: string;
  readonly finalEquity: string;
  /** The longest holding time of a position that was sold or settled. */
  readonly heldMaxMs: number;
};

export type Trial = {
  readonly combination: Combination;
  readonly figures: TrialFigures;
  /** One for each UTC day of the range, also without a point: all trials of a range have equally many. */
  readonly returns: readonly number[];
  readonly resultHash: string;
};

/** `[fromMs, toMs)`. */
export type Range = { readonly fromMs: number; readonly toMs: number };

/** Collects the parts of a run, and returns its trial at the end. */
export class TrialRecorder {
  readonly #range: Range;
  /** The last point of each day. */
  readonly #points = new Map<number, EquityPartRow>();
  #heldMaxMs = 0;

  constructor(range: Range) {
    this.#range = range;
  }

  equity(rows: readonly EquityPartRow[]): void {
    for (const row of rows) this.#points.set(dayOf(row.atMs), row);
  }

  trades(rows: readonly TradePartRow[]): void {
    for (const { openedAtMs, closedAtMs } of rows) {
      this.#heldMaxMs = Math.max(this.#heldMaxMs, closedAtMs - openedAtMs);
    }
  }

  trial(combination: Combination, summary: BacktestSummary): Trial {
    const { statistics, orders, fees, finalEquity, resultHash } = summary;
    const { trades, drawdowns, open } = statistics;
    return {
      combination,
      figures: {
        netProfit: statistics.netProfit,
        totalReturn: statistics.totalReturn,
        cagr: statistics.cagr,
        sharpe: statistics.sharpe,
        sortino: statistics.sortino,
        calmar: statistics.calmar,
        probabilisticSharpe: statistics.probabilisticSharpe,
        profitFactor: trades.profitFactor,
        winRate: trades.winRate,
        expectancy: trades.expectancy,
        sqn: trades.sqn,
        exposure: statistics.exposure,
        maxDrawdown: drawdowns.max?.share ?? 0,
        closed: trades.closed,
        open: open.length,
        denied: Object.values(orders.denied).reduce((total, count) => total + count, 0),
        fees,
        finalEquity,
        heldMaxMs: this.#heldMaxMs,
      },
      returns: this.#returns(exact(finalEquity).minus(statistics.netProfit).toFixed()),
      resultHash,
    };
  }

  #returns(start: string): number[] {
    const days = new DailyReturns(start);
    for (const point of this.#points.values()) days.add(point);
    const byDay = new Map(days.returns().map(({ day, value }) => [day, value]));
    const first = dayOf(this.#range.fromMs + 1);
    return Array.from(
      { length: dayOf(this.#range.toMs) - first + 1 },
      (_, index) => byDay.get(first + index) ?? 0,
    );
  }
}

/** Returns the figure by which trials are ranked; null if it is not available, or there are too few trades. */
export function scoreOf(
  { figures }: Pick<Trial, 'figures'>,
  { statistic, minTrades }: { readonly statistic: Objective; readonly minTrades: number },
): number | null {
  if (figures.closed < minTrades) return null;
  return statistic === 'netProfit' ? Number(figures.netProfit) : figures[statistic].value;
}

import type { Outputs } from '../api/trpc.ts';
import type { Point } from '../charts/layers.ts';
import type { Statistics } from '../format/research/statistics.ts';

type Curve = Outputs['console']['curve'];
/** The result that the rest of the page shows, and when it was read. USD. */
type Snapshot = { readonly asOf: string; readonly totalPnl: number };

export type CurveAtSnapshot = {
  readonly equity: readonly Point[];
  readonly drawdown: readonly Point[];
  readonly statistics: Statistics;
};

/**
 * Ends a curve with a snapshot: a page then has one result, at one instant. The curve, the net profit, the total return and
 * that of its month follow the snapshot; other figures move with days and trades, and stay as they were read.
 */
export function curveAtSnapshot({ points, statistics, totalPnl }: Curve, now: Snapshot): CurveAtSnapshot {
  const last = points.at(-1);
  if (last === undefined) return { equity: [], drawdown: [], statistics };
  const moved = now.totalPnl - totalPnl;
  const value = last.equity + moved;
  const before = points.filter(({ at }) => Date.parse(at) < Date.parse(now.asOf));
  // By the last drawdown: money brought in moves the peak, which is then no point of the curve.
  const peak = last.drawdown < 1 ? last.equity / (1 - last.drawdown) : 0;
  const fall = peak > 0 ? Math.max(0, (peak - value) / peak) : last.drawdown;
  return {
    equity: [...before.map(({ at, equity }) => ({ at, value: equity })), { at: now.asOf, value }],
    drawdown: [
      ...before.map(({ at, drawdown }) => ({ at, value: 0 - drawdown })),
      { at: now.asOf, value: 0 - fall },
    ],
    statistics: {
      ...statistics,
      to: now.asOf,
      netProfit: statistics.netProfit + moved,
      totalReturn: returnAt(statistics.totalReturn, last.equity, value),
      monthly: statistics.monthly.map((month) =>
        month.month === now.asOf.slice(0, 7) ? returnAt(month, last.equity, value) : month,
      ),
    },
  };
}

/** A return whose end moved between two values of the equity. */
const returnAt = <Return extends { value: number | null }>(
  until: Return,
  from: number,
  to: number,
): Return =>
  until.value === null || from <= 0 ? until : { ...until, value: ((1 + until.value) * to) / from - 1 };

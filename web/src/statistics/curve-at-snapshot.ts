import type { Outputs } from '../api/trpc.ts';
import { endingWith, type Point } from '../charts/layers.ts';
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
 * Ends a curve with a snapshot: a page then has one result, at one instant. The curve, its returns and its drawdowns follow the
 * snapshot. Other figures move with days and trades, and stay as they were read.
 */
export function curveAtSnapshot({ points, statistics, totalPnl }: Curve, now: Snapshot): CurveAtSnapshot {
  const last = points.at(-1);
  if (last === undefined) return { equity: [], drawdown: [], statistics };
  // A process of an earlier version states no result.
  const moved = totalPnl === undefined ? 0 : now.totalPnl - totalPnl;
  const value = last.equity + moved;
  // By the last drawdown: money brought in moves the peak, which is then no point of the curve.
  const peak = last.drawdown < 1 ? last.equity / (1 - last.drawdown) : 0;
  const fall = peak > 0 ? Math.max(0, (peak - value) / peak) : last.drawdown;
  const ended = endingWith(points, { at: now.asOf, equity: value, drawdown: fall });
  return {
    equity: ended.map(({ at, equity }) => ({ at, value: equity })),
    drawdown: ended.map(({ at, drawdown }) => ({ at, value: 0 - drawdown })),
    statistics: {
      ...statistics,
      ...fallsAt(statistics, { at: now.asOf, share: fall, usd: Math.max(0, peak - value), since: last }),
      to: now.asOf,
      netProfit: statistics.netProfit + moved,
      totalReturn: returnAt(statistics.totalReturn, last.equity, value),
      monthly: statistics.monthly.map((month) =>
        month.month === now.asOf.slice(0, 7) ? returnAt(month, last.equity, value) : month,
      ),
    },
  };
}

type Fall = { at: string; share: number; usd: number; since: Curve['points'][number] };
type Falls = Pick<Statistics, 'drawdowns' | 'maxDrawdown' | 'longestDrawdownSec'>;

/** The most drawdowns that are listed. */
const FALLS_MAX = 10;
/** The noise of divisions: an unmoved value is no new trough. */
const NOISE = 1e-9;

/** The drawdowns with the one that is open at an instant, or that ends there. `since`: the last point before. */
function fallsAt({ drawdowns, longestDrawdownSec }: Falls, { at, share, usd, since }: Fall): Falls {
  const open = drawdowns.find(({ recoveredAt }) => recoveredAt === null);
  const { peakAt = since.at, share: deepest = 0 } = open ?? {};
  const current =
    share > deepest + NOISE
      ? { share, usd, peakAt, troughAt: at, recoveredAt: null }
      : open && { ...open, recoveredAt: share > 0 ? null : at };
  if (!current) return { drawdowns, maxDrawdown: drawdowns[0] ?? null, longestDrawdownSec };
  const falls = [...drawdowns.filter((each) => each !== open), current]
    .sort((one, other) => other.share - one.share)
    .slice(0, FALLS_MAX);
  return {
    drawdowns: falls,
    maxDrawdown: falls[0] ?? null,
    longestDrawdownSec: Math.max(longestDrawdownSec, (Date.parse(at) - Date.parse(peakAt)) / 1_000),
  };
}

/** A return whose end moved between two values of the equity. */
const returnAt = <Return extends { value: number | null }>(
  until: Return,
  from: number,
  to: number,
): Return =>
  until.value === null || from <= 0 ? until : { ...until, value: ((1 + until.value) * to) / from - 1 };

import type { EquityPoint } from './daily-returns.ts';
import { DrawdownTracker } from './drawdown.ts';

/** A point of a chart: the equity, and its distance below the highest so far, as a share of that. */
export type CurvePoint = { readonly atMs: number; readonly equity: string; readonly drawdown: number };

/**
 * The curve from `start` at `fromMs` on with its drawdowns, as {@link DrawdownTracker} measures them. Points in order of time.
 */
export function equityDrawdownCurve(
  start: string,
  fromMs: number,
  points: Iterable<EquityPoint>,
): CurvePoint[] {
  const watch = new DrawdownTracker(start, fromMs);
  const curve: CurvePoint[] = [{ atMs: fromMs, equity: start, drawdown: 0 }];
  for (const point of points) {
    watch.add(point);
    curve.push({ atMs: point.atMs, equity: point.equity, drawdown: watch.share() });
  }
  return curve;
}

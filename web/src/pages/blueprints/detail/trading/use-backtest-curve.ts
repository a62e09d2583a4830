import { useBacktests, useRunCharts } from '../../../../backtests/use-backtest.ts';
import type { Point } from '../../../../charts/layers.ts';
import { pointsSince, rebased } from '../../../../charts/strategy-layers.ts';

/** The equity of the newest run with a result, beside another curve. */
export type BacktestCurve =
  | { readonly kind: 'loading' | 'none' | 'failed' | 'unscaled' }
  /** It ended before the range: nothing of it is drawn. */
  | { readonly kind: 'before'; readonly endedAt: string }
  | { readonly kind: 'curve'; readonly points: readonly Point[] };

/** Reads the newest backtest of a strategy, scaled to begin with `onto`, from an instant on. Reads nothing unless enabled. */
export function useBacktestCurve(
  blueprintId: string,
  { isEnabled, onto, sinceMs }: { isEnabled: boolean; onto: readonly Point[]; sinceMs: number },
): BacktestCurve | null {
  const runs = useBacktests(blueprintId, isEnabled);
  const newest = runs.data?.find(({ outline }) => outline !== null);
  const charts = useRunCharts(newest?.id ?? '', isEnabled && newest !== undefined);
  if (!isEnabled) return null;
  if ((runs.error && !runs.data) || (charts.error && !charts.data)) return { kind: 'failed' };
  if (runs.data && newest === undefined) return { kind: 'none' };
  if (!charts.data) return { kind: 'loading' };
  const whole = charts.data.equity.map(({ at, equity: value }) => ({ at, value }));
  const last = whole.at(-1);
  if (last === undefined) return { kind: 'none' };
  const scaled = rebased(whole, onto);
  if (scaled === null) return { kind: 'unscaled' };
  const points = pointsSince(scaled, sinceMs);
  return points.length === 0 ? { kind: 'before', endedAt: last.at } : { kind: 'curve', points };
}

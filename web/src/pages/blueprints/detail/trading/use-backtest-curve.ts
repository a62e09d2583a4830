import { useBacktests, useRunCharts } from '../../../../backtests/use-backtest.ts';
import type { Point } from '../../../../charts/layers.ts';
import { type BesideCurve, besideCurve } from './beside-curve.ts';

/** Reads the newest backtest of a strategy that has a result. Reads nothing unless enabled. */
export function useBacktestCurve(
  blueprintId: string,
  { isEnabled, ...place }: { isEnabled: boolean; onto: readonly Point[]; sinceMs: number },
): BesideCurve | null {
  const runs = useBacktests(blueprintId, isEnabled);
  const newest = runs.data?.find(({ outline }) => outline !== null);
  const charts = useRunCharts(newest?.id ?? '', isEnabled && newest !== undefined);
  if (!isEnabled) return null;
  if ((runs.error && !runs.data) || (charts.error && !charts.data)) return { kind: 'failed' };
  if (runs.data && newest === undefined) return { kind: 'none' };
  return charts.data ? besideCurve(charts.data.equity, place) : { kind: 'loading' };
}

import type { PriceChoice } from '../bars/choose-prices.ts';
import { rowsAs } from '../bars/choose-prices.ts';
import type { Recorder } from '../record/recorder.ts';

/** Limit of a bar's change in robust deviations, and of its wick in median ranges; above it is an outlier. */
const DEVIATIONS_MAX = 20;
const RANGES_MAX = 10;
/** Converts the median of absolute changes to the deviation of a normal distribution. */
const ROBUST = 1.4826;

/** Finds outlier bars, and the share of all profit from trades that began or ended in one. */
export type OutlierBars = { readonly count: number; readonly profitShare: number };

type Span = { readonly fromMs: number; readonly toMs: number };

/** Pure. `latencyMs`: a decision at the close of a bar still trades in it. */
export function outlierBarsOf(
  choices: readonly PriceChoice[],
  trades: Recorder['trades'],
  span: Span,
  latencyMs: number,
): OutlierBars {
  let count = 0;
  let profit = 0;
  let all = 0;
  for (const { pnl } of trades) all += Math.max(0, Number(pnl));
  for (const choice of choices) {
    const bars = outlyingBars(choice, span);
    count += bars.length;
    for (const { holding, openedAtMs, closedAtMs, pnl } of bars.length === 0 ? [] : trades) {
      const isWithin = (atMs: number) =>
        bars.some(({ fromMs, toMs }) => atMs > fromMs && atMs <= toMs + latencyMs);
      if (holding === choice.tokenId && (isWithin(openedAtMs) || isWithin(closedAtMs)))
        profit += Math.max(0, Number(pnl));
    }
  }
  return { count, profitShare: all === 0 ? 0 : profit / all };
}

function outlyingBars({ kind, history }: PriceChoice, { fromMs, toMs }: Span): Span[] {
  if (kind !== 'candle' || history === null) return [];
  const { columns, count } = rowsAs(history, 'candle');
  const { open, high, low, close } = columns;
  const at = (column: Float64Array, row: number): number => column[row] as number;
  const openMs = (row: number) => at(columns.openTimeMs, row);
  const closedMs = (row: number) => at(columns.closeTimeMs, row) + 1;
  // Bars outside the span differ between a run and the trials of a sweep: they are not used.
  const rows = Array.from({ length: count }, (_, row) => row).filter(
    (row) => closedMs(row) > fromMs && openMs(row) < toMs,
  );
  const changes = rows.slice(1).map((row) => Math.abs(Math.log(at(close, row) / at(close, row - 1))));
  const most = DEVIATIONS_MAX * ROBUST * medianOf(changes);
  const widest = RANGES_MAX * medianOf(rows.map((row) => at(high, row) - at(low, row)));
  const isOutlier = (row: number, index: number): boolean => {
    const body = [at(open, row), at(close, row)] as const;
    const wick = Math.max(at(high, row) - Math.max(...body), Math.min(...body) - at(low, row));
    const change = index === 0 ? 0 : (changes[index - 1] as number);
    return (most > 0 && change > most) || (widest > 0 && wick > widest);
  };
  return rows.filter(isOutlier).map((row) => ({ fromMs: openMs(row), toMs: closedMs(row) }));
}

/** Zero without values, and if more than half of them are zero. */
function medianOf(values: readonly number[]): number {
  return Float64Array.from(values).toSorted()[values.length >> 1] ?? 0;
}

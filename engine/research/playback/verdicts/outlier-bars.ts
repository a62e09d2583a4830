import type { PriceChoice } from '../bars/choose-prices.ts';
import { rowsAs } from '../bars/choose-prices.ts';
import type { WinningTrades } from '../record/winning-trades.ts';

/** Limit of a bar's change in robust deviations, and of its wick in median ranges; above it is an outlier. */
const DEVIATIONS_MAX = 20;
const RANGES_MAX = 10;
/** Converts the median of absolute changes to the deviation of a normal distribution. */
const ROBUST = 1.4826;

/** Finds outlier bars, and the share of all profit from trades that began or ended in one. */
export type OutlierBars = { readonly count: number; readonly profitShare: number };

type Span = { readonly fromMs: number; readonly toMs: number };

/** `latencyMs`: a decision at the close of a bar still trades in it. */
export function outlierBarsOf(
  choices: readonly PriceChoice[],
  winners: WinningTrades,
  span: Span,
  latencyMs: number,
): OutlierBars {
  let [count, profit] = [0, 0];
  for (const choice of choices) {
    const bars = outlyingBars(choice, span);
    count += bars.length;
    if (bars.length === 0) continue;
    profit += winners.profitAt(choice.tokenId, (atMs) =>
      bars.some(({ fromMs, toMs }) => atMs > fromMs && atMs <= toMs + latencyMs),
    );
  }
  return { count, profitShare: winners.profit === 0 ? 0 : profit / winners.profit };
}

function outlyingBars({ kind, history }: PriceChoice, { fromMs, toMs }: Span): Span[] {
  if (kind !== 'candle' || history === null) return [];
  const { columns, count } = rowsAs(history, 'candle');
  const { openTimeMs, closeTimeMs, open, high, low, close } = columns;
  const at = (column: Float64Array, row: number): number => column[row] as number;
  // Bars outside the span differ between a run and the trials of a sweep: they are not used.
  let [first, end] = [0, count];
  while (first < count && at(closeTimeMs, first) + 1 <= fromMs) first++;
  while (end > first && at(openTimeMs, end - 1) >= toMs) end--;
  const change = (row: number): number => Math.abs(Math.log(at(close, row) / at(close, row - 1)));
  const range = (row: number): number => at(high, row) - at(low, row);
  const most = DEVIATIONS_MAX * ROBUST * medianOf(first + 1, end, change);
  const widest = RANGES_MAX * medianOf(first, end, range);
  const bars: Span[] = [];
  for (let row = first; row < end; row++) {
    const [from, to] = [at(open, row), at(close, row)];
    const wick = Math.max(at(high, row) - Math.max(from, to), Math.min(from, to) - at(low, row));
    const hasJumped = row > first && most > 0 && change(row) > most;
    if (hasJumped || (widest > 0 && wick > widest))
      bars.push({ fromMs: at(openTimeMs, row), toMs: at(closeTimeMs, row) + 1 });
  }
  return bars;
}

/** Random values take a few. */
const ROUNDS_MAX = 60;

/**
 * The median over the rows `[first, end)`, by selection (Hoare 1961): sorting takes at least three times as long. Zero without
 * rows, and if more than half of the values are zero.
 */
export function medianOf(first: number, end: number, valueAt: (row: number) => number): number {
  const values = new Float64Array(Math.max(0, end - first));
  for (let index = 0; index < values.length; index++) values[index] = valueAt(first + index);
  const middle = values.length >> 1;
  let [low, high] = [0, values.length - 1];
  for (let rounds = 0; low < high; rounds++) {
    // Some orders, such as a rise and the same fall, are never halved.
    if (rounds === ROUNDS_MAX) {
      values.subarray(low, high + 1).sort();
      break;
    }
    const pivot = values[(low + high) >> 1] as number;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const value = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = value;
    }
    if (middle <= right) high = right;
    else if (middle >= left) low = left;
    else break;
  }
  return values[middle] ?? 0;
}

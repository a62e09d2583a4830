import type { SeriesRows } from '../../../history/series.ts';
import { RANGE_RATIO, type WalkRange } from './random-walk.ts';

/** Movement of earlier closed bars, as shares of their opens, and the fineness of their walks. */
export type RecentVolatility = WalkRange & { readonly fineness: number };

/** Number of earlier bars that measure movement; fewer than the minimum give no measure. */
const BARS_MAX = 64;
const BARS_MIN = 8;
/** Number of earlier bars that measure the fineness of their walks, plus some of a fine walk as a prior. */
const FINENESS_BARS_MAX = 256;
const FINE_BARS = 64;
const FINENESS_MAX = 1.1;

/**
 * Measures the bars before `bar`; null if there are too few. Bars before `first` are not read: the result does not depend on
 * how much earlier history is stored. Bars of another length are skipped.
 */
export function recentVolatilityOf(
  { columns }: SeriesRows<'candle'>,
  { first, bar, tick }: { first: number; bar: number; tick: number },
): RecentVolatility | null {
  const since = alikeSince(columns, first, bar);
  const count = Math.min(BARS_MAX, bar - since);
  if (count < BARS_MIN) return null;
  const { open, high, low, close } = columns;
  let [sum, squares] = [0, 0];
  for (let at = bar - count; at < bar; at++) {
    const range = Math.max(tick, (high[at] as number) - (low[at] as number));
    const logarithm = Math.log(range / (open[at] as number));
    sum += logarithm;
    squares += logarithm * logarithm;
  }
  const mean = sum / count;
  let [ranges, changes] = [0, 0];
  const from = Math.max(since, bar - FINENESS_BARS_MAX);
  for (let at = from; at < bar; at++) {
    const opened = open[at] as number;
    ranges += (((high[at] as number) - (low[at] as number)) / opened) ** 2;
    changes += (((close[at] as number) - opened) / opened) ** 2;
  }
  const added = (FINE_BARS * changes) / (bar - from);
  const ratio = changes === 0 ? RANGE_RATIO.fine : (ranges + RANGE_RATIO.fine * added) / (changes + added);
  const fineness = (ratio - RANGE_RATIO.coarse) / (RANGE_RATIO.fine - RANGE_RATIO.coarse);
  return {
    mean,
    variance: Math.max(0, squares / count - mean * mean) * (count / (count - 1)),
    fineness: Math.max(0, Math.min(FINENESS_MAX, fineness)),
  };
}

/** Returns the index of the first consecutive bar before `bar` of the same length. */
function alikeSince(
  { openTimeMs, closeTimeMs }: SeriesRows<'candle'>['columns'],
  first: number,
  bar: number,
): number {
  const lengthOf = (at: number): number => (closeTimeMs[at] as number) - (openTimeMs[at] as number);
  const least = Math.max(first, bar - FINENESS_BARS_MAX);
  let since = bar;
  while (since > least && lengthOf(since - 1) === lengthOf(bar)) since--;
  return since;
}

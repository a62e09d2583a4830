import type { EquityPoint } from './days.ts';
import { DrawdownWatch } from './drawdown.ts';

/** A point as it is drawn: what there was, and how far below the highest so far, as a share of that. */
export type CurvePoint = { readonly atMs: number; readonly equity: string; readonly drawdown: number };

/** The curve from `start` at `fromMs` on with its drawdowns, as {@link DrawdownWatch} tells them. Points in order of time. */
export function curveOf(start: string, fromMs: number, points: Iterable<EquityPoint>): CurvePoint[] {
  const watch = new DrawdownWatch(start, fromMs);
  const curve: CurvePoint[] = [{ atMs: fromMs, equity: start, drawdown: 0 }];
  for (const point of points) {
    watch.add(point);
    curve.push({ atMs: point.atMs, equity: point.equity, drawdown: watch.share() });
  }
  return curve;
}

/**
 * At most `max` rows (4 or more) of a line for a picture of it, in their order: the first and the last, and of each stretch
 * between them its lowest and its highest.
 */
export function thinned<Row extends object>(
  rows: readonly Row[],
  max: number,
  read: (row: Row) => number,
): Row[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (rows.length <= max || first === undefined || last === undefined) return [...rows];
  const buckets = Math.floor((max - 2) / 2);
  const inner = rows.slice(1, -1);
  const kept = [first];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * inner.length) / buckets);
    const to = Math.floor(((bucket + 1) * inner.length) / buckets);
    kept.push(...extremes(inner.slice(from, to), read));
  }
  return [...kept, last];
}

function extremes<Row extends object>(rows: readonly Row[], read: (row: Row) => number): Row[] {
  let [low, high] = [0, 0];
  const values = rows.map(read);
  values.forEach((value, index) => {
    if (value < (values[low] ?? 0)) low = index;
    if (value > (values[high] ?? 0)) high = index;
  });
  return rows.filter((_, index) => index === low || index === high);
}

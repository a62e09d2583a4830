/** Stretches of time `[fromMs, toMs)`, as lists in ascending order that neither overlap nor touch. Pure. */
import type { Gap } from './series.ts';

export type Range = Gap;

/** Everything that lies in any of them. */
export function joined(ranges: readonly Range[]): Range[] {
  const all: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of ranges.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1);
    if (fromMs >= toMs) continue;
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else all.push({ fromMs, toMs });
  }
  return all;
}

/** What of `ranges` lies in none of `taken`. */
export function without(ranges: readonly Range[], taken: readonly Range[]): Range[] {
  const gone = joined(taken);
  return joined(ranges).flatMap(({ fromMs, toMs }) => {
    const left: Range[] = [];
    let at = fromMs;
    for (const hole of gone) {
      if (hole.toMs <= at || hole.fromMs >= toMs) continue;
      if (hole.fromMs > at) left.push({ fromMs: at, toMs: hole.fromMs });
      at = hole.toMs;
    }
    if (at < toMs) left.push({ fromMs: at, toMs });
    return left;
  });
}

/** What of `ranges` lies in `bounds`. */
export const within = (ranges: readonly Range[], bounds: Range): Range[] =>
  joined(
    ranges.map(({ fromMs, toMs }) => ({
      fromMs: Math.max(fromMs, bounds.fromMs),
      toMs: Math.min(toMs, bounds.toMs),
    })),
  );

/** Spans of time `[fromMs, toMs)`, as ascending lists without overlaps or adjacent ranges. Pure. */
import type { Gap } from './series.ts';

export type Range = Gap;

/** Returns the union of ranges. */
export function unionOfRanges(ranges: readonly Range[]): Range[] {
  const all: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of ranges.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1);
    if (fromMs >= toMs) continue;
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else all.push({ fromMs, toMs });
  }
  return all;
}

/** Returns the parts of `ranges` outside of all `taken`. */
export function subtractRanges(ranges: readonly Range[], taken: readonly Range[]): Range[] {
  const gone = unionOfRanges(taken);
  return unionOfRanges(ranges).flatMap(({ fromMs, toMs }) => {
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

/** Returns the parts of `ranges` within `bounds`. */
export const clipRanges = (ranges: readonly Range[], bounds: Range): Range[] =>
  unionOfRanges(
    ranges.map(({ fromMs, toMs }) => ({
      fromMs: Math.max(fromMs, bounds.fromMs),
      toMs: Math.min(toMs, bounds.toMs),
    })),
  );

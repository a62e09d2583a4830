/** A missing stretch is longer than this number of usual steps. */
const GAP_STEPS = 3;

type Point = { at: string; value: number; isBeforeGap?: true };

/** Marks the points after which values are missing: the next is farther away than three usual steps. Points in order of time. */
export function withGaps(points: readonly Point[]): Point[] {
  const distances = points
    .slice(1)
    .map(({ at }, index) => Date.parse(at) - Date.parse(points[index]?.at ?? at));
  const usual = distances.toSorted((one, other) => one - other)[Math.floor((distances.length - 1) / 2)];
  if (usual === undefined) return [...points];
  return points.map((point, index) =>
    (distances[index] ?? 0) > GAP_STEPS * usual ? { ...point, isBeforeGap: true } : point,
  );
}

/**
 * The refs of the markets with the highest prices, highest first, at most `most`; the open one is among them. A market without a
 * price comes last.
 */
export function leadingRefs(
  markets: readonly { ref: string; price: number | null }[],
  open: string,
  most: number,
): string[] {
  const leading = markets
    .toSorted((one, other) => (other.price ?? -1) - (one.price ?? -1))
    .map(({ ref }) => ref);
  const first = leading.slice(0, most);
  return first.includes(open) || !leading.includes(open) ? first : [...first.slice(0, most - 1), open];
}

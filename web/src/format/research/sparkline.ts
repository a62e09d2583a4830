/** A point in a box of 0 to 1 each way, from the top left. */
export type BoxPoint = { x: number; y: number };

/** Values as points in a box: the first at its left, the highest at its top. A flat line is in the middle. */
export function sparklinePoints(values: readonly number[]): BoxPoint[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const last = Math.max(1, values.length - 1);
  return values.map((value, index) => ({
    x: index / last,
    y: high === low ? 0.5 : (high - value) / (high - low),
  }));
}

/** The path of a line through values in a box of this size, px. */
export function sparklinePath(
  values: readonly number[],
  { width, height }: { width: number; height: number },
): string {
  return sparklinePoints(values)
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x * width)} ${round(y * height)}`)
    .join('');
}

const round = (px: number): number => Math.round(px * 10) / 10;

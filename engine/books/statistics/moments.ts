/** A variance below this comes from rounding, not from the values. */
export const VARIANCE_FLOOR = 1e-12;

/**
 * Sums with a running compensation for the rounding error of each addition (Neumaier 1974). Exact to the last bits for any
 * order of size.
 */
export function sum(values: Iterable<number>): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** The mean of one value or more. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** The mean of the `power`th powers of each value's distance from the mean: a population moment. */
export function centralMoment(values: readonly number[], power: number): number {
  const middle = mean(values);
  return sum(values.map((value) => (value - middle) ** power)) / values.length;
}

/** The standard deviation of a sample, `n - 1` in the denominator; of two values or more. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}

/** The middle value, or the mean of the two middle ones; of one value or more, in any order. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(half)], sorted[Math.ceil(half)]];
  if (low === undefined || high === undefined) throw new RangeError('There is no median of nothing.');
  return (low + high) / 2;
}

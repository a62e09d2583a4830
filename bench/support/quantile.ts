/**
 * Returns the nearest rank: the least value that this share of the values does not exceed; 0 without values.
 *
 * @param share above 0, at most 1.
 */
export function quantileOf(values: readonly number[], share: number, decimals = 0): number {
  const sorted = Float64Array.from(values).sort();
  return Number((sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(decimals));
}

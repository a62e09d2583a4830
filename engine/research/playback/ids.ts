/** Creates rising ids in the form of UUIDs, by seed and simulated account. Sorting by id is sorting by creation. */
export function countingIds(seed: number, accountIndex: number): () => string {
  const prefix = `${hex(seed, 8)}-${hex(accountIndex, 4)}-7000-8000`;
  let count = 0;
  return () => `${prefix}-${hex(++count, 12)}`;
}

const hex = (value: number, digits: number): string =>
  Math.abs(Math.trunc(value)).toString(16).padStart(digits, '0').slice(-digits);

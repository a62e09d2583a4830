// Tables of routes times values, where the service refuses the value before it knows the route.

const HAND = 2;

/**
 * Deals values to the rows of a table: all of them to the first row that asks, the next two to each further one. So each
 * value is tried on many rows, and each row with some values; a row that runs alone is tried with all.
 */
export function dealer<Value>(values: readonly Value[]): () => readonly Value[] {
  let dealt = 0;
  return () => {
    const start = dealt;
    dealt += start === 0 ? values.length : HAND;
    if (start === 0) return values;
    return Array.from(
      { length: Math.min(HAND, values.length) },
      (_, index) => values[(start + index) % values.length] as Value,
    );
  };
}

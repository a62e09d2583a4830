export type Sort = { column: string; isDown: boolean };

export type SortValue = string | number | null;

/** Pressing a column again reverses it; another one starts with its largest, or newest, on top. */
export const toggleSort = (sort: Sort, column: string): Sort =>
  sort.column === column ? { column, isDown: !sort.isDown } : { column, isDown: true };

/** The rows sorted by a column. Unknown values come last in both directions, and equal ones keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  value: (row: Row) => SortValue,
  { isDown }: Pick<Sort, 'isDown'>,
): Row[] {
  const turn = isDown ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return (
      turn * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)))
    );
  });
}

import { csvCell } from '../../format/csv.ts';

type Cell = string | number | null;

/** The rows as RFC 4180 text, a column for each of the fields. */
export function toCsv<Field extends string>(
  fields: readonly Field[],
  rows: readonly Readonly<Record<Field, Cell>>[],
): string {
  const lines = rows.map((row) => fields.map((field) => csvCell(row[field])).join(','));
  return [fields.join(','), ...lines, ''].join('\r\n');
}

/** Saves the rows with the browser's own download. */
export function saveCsv<Field extends string>(
  name: string,
  fields: readonly Field[],
  rows: readonly Readonly<Record<Field, Cell>>[],
): void {
  const url = URL.createObjectURL(new Blob([toCsv(fields, rows)], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: `${name}.csv` }).click();
  URL.revokeObjectURL(url);
}

import type { OrderRow } from './approval-queue.tsx';

const COLUMNS = [
  'id',
  'createdAt',
  'status',
  'side',
  'type',
  'venue',
  'tokenId',
  'title',
  'amount',
  'filledAmount',
  'limitPrice',
  'averagePrice',
  'size',
  'blueprintId',
  'blueprintName',
  'reason',
] as const satisfies readonly (keyof OrderRow)[];

/** The rows as RFC 4180 text. A text that a spreadsheet would run as a formula starts with an apostrophe. */
export function toCsv(rows: readonly OrderRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Hands the rows to the browser's own download. */
export function saveCsv(rows: readonly OrderRow[]): void {
  const url = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: 'orders.csv' }).click();
  URL.revokeObjectURL(url);
}

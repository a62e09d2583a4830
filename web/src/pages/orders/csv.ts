import { csvCell } from '../../format/csv.ts';
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

/** The rows as RFC 4180 text. */
export function toCsv(rows: readonly OrderRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => csvCell(row[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** Hands the rows to the browser's own download. */
export function saveCsv(rows: readonly OrderRow[]): void {
  const url = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: 'orders.csv' }).click();
  URL.revokeObjectURL(url);
}

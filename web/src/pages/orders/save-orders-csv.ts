import { saveCsv as save } from '../../ui/table/save-csv.ts';
import type { OrderRow } from './approval-queue.tsx';

const FIELDS = [
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

export const saveOrdersCsv = (rows: readonly OrderRow[]): void => save('orders', FIELDS, rows);

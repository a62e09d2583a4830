import { ORDER_FIELDS } from '../../generated/service.ts';
import { saveCsv as save } from '../../ui/table/save-csv.ts';
import type { OrderRow } from './approval-queue.tsx';

export const saveOrdersCsv = (rows: readonly OrderRow[]): void => save('orders', ORDER_FIELDS, rows);

import type { Position } from '../../api/row-types.ts';
import { saveCsv } from '../../ui/table/save-csv.ts';

const FIELDS = [
  'tokenId',
  'title',
  'venue',
  'blueprintId',
  'amount',
  'amountClosing',
  'averageCost',
  'markPrice',
  'unrealizedPnl',
  'realizedPnl',
  'openedAt',
] as const satisfies readonly (keyof Position)[];

export const savePositionsCsv = (rows: readonly Position[]): void => saveCsv('positions', FIELDS, rows);

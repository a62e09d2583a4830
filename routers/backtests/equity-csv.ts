import { equityCsv } from '../../engine/research/backtests/csv.ts';
import { allRows } from '../../engine/research/backtests/read.ts';
import { requireOwnBacktest } from '../../engine/research/backtests/row.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';
import { BacktestId } from './schemas.ts';

export const equityFile = fileRoute({
  path: '/api/backtests/{id}/equity.csv',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Backtests',
  summary: 'The equity of a backtest as CSV',
  description: 'Every point. RFC 4180, exact decimals, instants in UTC.',
  file: { media: 'text/csv', name: 'equity.csv' },
  example: {
    path: { id: EXAMPLE.backtestId },
    response: 'at,equity,held\r\n2026-09-01T00:00:00.000Z,10000,0\r\n',
  },
  input: BacktestId,
  chunks: async ({ ctx: { work }, input: { id } }) => {
    await requireOwnBacktest(work, id);
    return equityCsv(allRows(work, id, 'equity'));
  },
});

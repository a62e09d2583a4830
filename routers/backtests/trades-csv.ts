import { tradesCsv } from '../../engine/research/backtests/csv.ts';
import { allRows } from '../../engine/research/backtests/read.ts';
import { requireOwnBacktest } from '../../engine/research/backtests/row.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';
import { BacktestId } from './schemas.ts';

export const tradesFile = fileRoute({
  path: '/api/backtests/{id}/trades.csv',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Backtests',
  summary: 'The trades of a backtest as CSV',
  description: 'RFC 4180, exact decimals, instants in UTC.',
  file: { media: 'text/csv', name: 'trades.csv' },
  example: {
    path: { id: EXAMPLE.backtestId },
    response:
      'instrument,openedAt,closedAt,amountMax,entryPrice,bought,sold,fees,pnl,settledAt,worstPnl,bestPnl\r\n',
  },
  input: BacktestId,
  chunks: async ({ ctx: { work }, input: { id } }) => {
    await requireOwnBacktest(work, id);
    return tradesCsv(allRows(work, id, 'trade'));
  },
});

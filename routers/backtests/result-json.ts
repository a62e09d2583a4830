import { resultJson } from '../../engine/research/backtests/result-json.ts';
import { readBacktest } from '../../engine/research/backtests/row.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';
import { BACKTEST_EXAMPLE } from './examples.ts';
import { BacktestId, viewBacktest } from './schemas.ts';

export const resultFile = fileRoute({
  path: '/api/backtests/{id}/result.json',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Backtests',
  summary: 'All of a backtest as JSON',
  description: 'The backtest with its graph, trades, orders, fills, equity and log, decimals as text.',
  file: { media: 'application/json', name: 'result.json' },
  example: {
    path: { id: EXAMPLE.backtestId },
    response: {
      backtest: BACKTEST_EXAMPLE,
      visual: null,
      trades: [],
      orders: [],
      fills: [],
      equity: [],
      log: [],
    },
  },
  input: BacktestId,
  chunks: async ({ ctx: { work }, input: { id } }) => {
    const row = await readBacktest(work, id);
    return resultJson(work, row, viewBacktest(row));
  },
});

import { readBacktest } from '../../engine/research/backtests/row.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { BACKTEST_EXAMPLE } from './examples.ts';
import { BacktestId, BacktestView, viewBacktest } from './schemas.ts';

export const read = route({
  method: 'GET',
  path: '/api/backtests/{id}',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Backtests',
  summary: 'Read a backtest',
  description:
    'The request, the progress, the history that was used and the result. Read the verdicts before the figures.',
  example: { path: { id: EXAMPLE.backtestId }, response: BACKTEST_EXAMPLE },
  input: BacktestId,
  output: BacktestView,
  resolve: async ({ ctx, input }) => viewBacktest(await readBacktest(ctx.work, input.id)),
});

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
    'What was asked, how far it is, what it was run over and came to. Read the verdicts before the figures.',
  example: { path: { id: EXAMPLE.backtestId }, response: BACKTEST_EXAMPLE },
  input: BacktestId,
  output: BacktestView,
  resolve: async ({ ctx, input }) => viewBacktest(await readBacktest(ctx.work, input.id)),
});

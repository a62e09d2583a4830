import { cancelBacktest } from '../../engine/research/backtests/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { okAndId } from '../schemas.ts';
import { BacktestId } from './schemas.ts';

export const cancel = route({
  method: 'POST',
  path: '/api/backtests/{id}/cancel',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Backtests',
  summary: 'Cancel a backtest',
  description:
    'It ends within a second; the result up to then stays, marked as partial. Refused once it has ended.',
  idempotent: true,
  example: { path: { id: EXAMPLE.backtestId }, response: { ok: true, id: EXAMPLE.backtestId } },
  input: BacktestId,
  output: okAndId,
  resolve: async ({ ctx, input: { id } }) => {
    await cancelBacktest(ctx.work, id);
    ctx.wakeBacktests();
    return { ok: true, id };
  },
});

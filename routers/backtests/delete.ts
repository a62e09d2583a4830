import { z } from 'zod';
import { deleteBacktest } from '../../engine/research/backtests/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { BacktestId } from './schemas.ts';

export const remove = route({
  method: 'DELETE',
  path: '/api/backtests/{id}',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Backtests',
  summary: 'Delete a backtest',
  description: 'Also deletes its result, pinned or not. Refused while it is queued or running.',
  example: { path: { id: EXAMPLE.backtestId }, response: { deleted: true } },
  input: BacktestId,
  output: z.object({ deleted: z.boolean() }),
  resolve: async ({ ctx, input }) => {
    await deleteBacktest(ctx.work, input.id);
    return { deleted: true };
  },
});

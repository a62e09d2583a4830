import { z } from 'zod';
import { annotateBacktest } from '../../engine/research/backtests/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { multiLineText } from '../schemas.ts';
import { OUTLINE_EXAMPLE } from './examples.ts';
import { BacktestId, BacktestOutline, viewOutline } from './schemas.ts';

const NOTES_MAX = 2_000;

export const update = route({
  method: 'PATCH',
  path: '/api/backtests/{id}',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Backtests',
  summary: 'Note or pin a backtest',
  description: 'An absent field keeps its value. A new backtest never displaces a pinned one.',
  example: {
    path: { id: EXAMPLE.backtestId },
    request: { notes: 'Without the stop.', pinned: true },
    response: { ...OUTLINE_EXAMPLE, notes: 'Without the stop.', pinned: true },
  },
  input: BacktestId.extend({
    notes: multiLineText(1, NOTES_MAX).nullable().optional().meta({ description: 'Null clears them.' }),
    pinned: z.boolean().optional(),
  }),
  output: BacktestOutline,
  resolve: async ({ ctx, input: { id, ...said } }) => viewOutline(await annotateBacktest(ctx.work, id, said)),
});

import { z } from 'zod';
import { readSweep } from '../../engine/research/sweeps/row.ts';
import { listTrials, TRIAL_ORDERS, TRIAL_SORTS } from '../../engine/research/sweeps/trials.ts';
import { PageCursor } from '../cursor.ts';
import { EXAMPLE } from '../examples.ts';
import { cutCounted, offsetOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, queryInteger } from '../schemas.ts';
import { TRIAL_EXAMPLE } from './examples.ts';
import { SweepId, TrialView, viewTrial } from './schemas.ts';

const LIMIT_MAX = 500;
const LIMIT_DEFAULT = 100;

export const trials = route({
  method: 'GET',
  path: '/api/sweeps/{id}/trials',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Sweeps',
  summary: 'The trials of a sweep',
  description:
    'Trials over the whole range, best first, or in another order. While it runs, those made so far.',
  pages: true,
  example: { path: { id: EXAMPLE.sweepId }, response: [TRIAL_EXAMPLE] },
  input: SweepId.extend({
    sort: z.enum(TRIAL_SORTS).optional().meta({ description: 'The figure to sort by; `score` by default.' }),
    order: z.enum(TRIAL_ORDERS).optional().meta({
      description:
        'The end that comes first, `best` by default; for `number` the lowest is the best. Trials without the figure always come last.',
    }),
    limit: queryInteger(1, LIMIT_MAX)
      .optional()
      .meta({ description: 'Most rows to return; 100 by default.' }),
    cursor: PageCursor,
  }),
  output: listOf(TrialView),
  resolve: async ({
    ctx,
    reply,
    input: { id, sort = 'score', order = 'best', limit = LIMIT_DEFAULT, cursor },
  }) => {
    const sweep = await readSweep(ctx.work, id);
    const list = { list: `sweep ${id}`, filters: { sort, order } };
    const from = offsetOf(ctx, cursor, list.list, list.filters);
    const rows = await listTrials(ctx.work, id, { sort, order, from, limit: limit + 1 });
    return cutCounted({ ctx, reply }, rows, { ...list, limit, offset: from }).map((trial) =>
      viewTrial(sweep, trial),
    );
  },
});

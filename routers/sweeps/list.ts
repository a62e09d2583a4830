import { z } from 'zod';
import { JOB_STATUSES } from '../../db/vocabulary.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import { listSweeps } from '../../engine/research/sweeps/list.ts';
import { PageCursor } from '../cursor.ts';
import { cutPage, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, queryInteger, uuid } from '../schemas.ts';
import { SWEEP_OUTLINE_EXAMPLE } from './examples.ts';
import { SweepOutline, viewOutline } from './schemas.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

export const list = route({
  method: 'GET',
  path: '/api/sweeps',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Sweeps',
  summary: 'List sweeps',
  description: 'The account’s sweeps in short, newest first.',
  pages: true,
  example: { response: [SWEEP_OUTLINE_EXAMPLE] },
  input: z.strictObject({
    limit: queryInteger(1, LIMIT_MAX).optional().meta({ description: 'Most rows to return; 50 by default.' }),
    cursor: PageCursor,
    blueprintId: uuid.optional().meta({ description: 'Only those of this blueprint.' }),
    status: z.enum(JOB_STATUSES).optional().meta({ description: 'Only those in this status.' }),
  }),
  output: listOf(SweepOutline),
  resolve: async ({ ctx, reply, input: { limit = LIMIT_DEFAULT, cursor, ...filters } }) => {
    const page = { list: 'sweeps', filters } as const;
    const rows = await listSweeps(ctx.work, { limit, after: startOf(ctx, cursor, page), ...filters });
    return cutPage({ ctx, reply }, rows, {
      ...page,
      limit,
      positionOf: (row) => ({ createdAt: toIso(row.created_at), id: row.id }),
    }).map(viewOutline);
  },
});

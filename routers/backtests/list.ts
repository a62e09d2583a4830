import { z } from 'zod';
import { JOB_STATUSES } from '../../db/vocabulary.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import { listBacktests } from '../../engine/research/backtests/read.ts';
import { PageCursor } from '../cursor.ts';
import { cutPage, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, queryInteger, uuid } from '../schemas.ts';
import { OUTLINE_EXAMPLE } from './examples.ts';
import { BacktestOutline, viewOutline } from './schemas.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

export const list = route({
  method: 'GET',
  path: '/api/backtests',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Backtests',
  summary: 'List backtests',
  description:
    'The account’s backtests in short, newest first. 200 are stored; a new one never displaces a pinned one.',
  pages: true,
  example: { response: [OUTLINE_EXAMPLE] },
  input: z.strictObject({
    limit: queryInteger(1, LIMIT_MAX).optional().meta({ description: 'Most rows to return; 50 by default.' }),
    cursor: PageCursor,
    blueprintId: uuid.optional().meta({ description: 'Only those of this blueprint.' }),
    status: z.enum(JOB_STATUSES).optional().meta({ description: 'Only those in this status.' }),
  }),
  output: listOf(BacktestOutline),
  resolve: async ({ ctx, reply, input: { limit = LIMIT_DEFAULT, cursor, ...filters } }) => {
    const page = { list: 'backtests', filters } as const;
    const rows = await listBacktests(ctx.work, { limit, after: startOf(ctx, cursor, page), ...filters });
    return cutPage({ ctx, reply }, rows, {
      ...page,
      limit,
      positionOf: (row) => ({ createdAt: toIso(row.created_at), id: row.id }),
    }).map(viewOutline);
  },
});

import { z } from 'zod';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { SIDES } from '../../db/vocabulary.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import { listOrders } from '../../engine/trading/orders/read/read.ts';
import { PageCursor } from '../cursor.ts';
import { cutPage, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, moment, queryInteger, uuid } from '../schemas.ts';
import { ORDER_EXAMPLE, OrderView, viewOrder } from './schemas.ts';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 500;

export const list = route({
  method: 'GET',
  path: '/api/orders',
  access: { kind: 'scope', scope: 'orders:read' },
  tag: 'Orders',
  summary: 'List orders',
  description: 'The account’s orders and intents, newest first, for monitoring and reconciliation.',
  pages: true,
  example: { response: [ORDER_EXAMPLE] },
  input: z.strictObject({
    limit: queryInteger(1, LIMIT_MAX)
      .optional()
      .meta({ description: 'Most rows to return; 500 by default.' }),
    cursor: PageCursor,
    status: z.enum(ORDER_STATUSES).optional().meta({ description: 'Only orders in this status.' }),
    side: z.enum(SIDES).optional().meta({ description: 'Only buys, or only sells.' }),
    blueprintId: uuid.optional().meta({ description: 'Only orders of this blueprint.' }),
    since: moment.optional().meta({ description: 'Created at or after.' }),
    until: moment.optional().meta({ description: 'Created before.' }),
  }),
  output: listOf(OrderView),
  resolve: async ({ ctx, reply, input: { limit = LIMIT_DEFAULT, cursor, ...filters } }) => {
    const { status, side, blueprintId, since, until } = filters;
    const page = { list: 'orders', filters } as const;
    const start = startOf(ctx, cursor, page);
    const rows = await listOrders(ctx.work, {
      limit: limit + 1,
      cursor: start && { createdAt: new Date(start.createdAt), id: start.id },
      ...(status && { status }),
      ...(side && { side }),
      ...(blueprintId && { blueprintId }),
      ...(since && { since: new Date(since) }),
      ...(until && { until: new Date(until) }),
    });
    return cutPage({ ctx, reply }, rows, {
      ...page,
      limit,
      positionOf: (row) => ({ createdAt: toIso(row.created_at), id: row.id }),
    }).map(viewOrder);
  },
});

import { z } from 'zod';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { SIDES } from '../../db/vocabulary.ts';
import { listOrders } from '../../engine/trading/orders/read/list-orders.ts';
import { PageCursor } from '../cursor.ts';
import { jsonAnswer } from '../json-answer.ts';
import { linkNext, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, moment, queryInteger, uuid } from '../schemas.ts';
import { ORDER_EXAMPLE, OrderView } from './schemas.ts';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 500;

const answer = jsonAnswer(listOf(OrderView));

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
    const list = { list: 'orders', filters, limit } as const;
    const { since, until, ...others } = filters;
    const { json, last } = await listOrders(ctx.work, {
      ...others,
      limit,
      after: startOf(ctx, cursor, list),
      since: since === undefined ? since : new Date(since),
      until: until === undefined ? until : new Date(until),
    });
    if (last !== null) linkNext({ ctx, reply }, last, list);
    return answer(ctx, json);
  },
});

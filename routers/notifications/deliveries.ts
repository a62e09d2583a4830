import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../db/entities/notification.ts';
import { listDeliveries } from '../../engine/notifications/deliveries.ts';
import { toIso } from '../../engine/platform/clock/timestamp-text.ts';
import { PageCursor } from '../cursor.ts';
import { EXAMPLE } from '../examples.ts';
import { cutPage, startOf } from '../pages.ts';
import { route } from '../route.ts';
import { listOf, queryInteger, uuid } from '../schemas.ts';
import { DeliveryView, viewDelivery } from './schemas.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

export const deliveries = route({
  method: 'GET',
  path: '/api/notification-deliveries',
  access: { kind: 'scope', scope: 'notifications:read' },
  tag: 'Notifications',
  summary: 'Read the delivery log',
  description: 'Deliveries with their destinations and outcomes, newest first. Stored for 30 days.',
  pages: true,
  example: {
    response: [
      {
        id: EXAMPLE.deliveryId,
        channelId: EXAMPLE.channelId,
        channelLabel: 'Desk',
        notificationId: EXAMPLE.notificationId,
        kind: 'order.pending',
        status: 'delivered',
        replay: false,
        attempts: 1,
        notBefore: EXAMPLE.createdAt,
        lastAttemptAt: EXAMPLE.createdAt,
        lastStatus: 200,
        lastProblem: null,
        tookMs: 41,
        createdAt: EXAMPLE.createdAt,
        endedAt: EXAMPLE.createdAt,
      },
    ],
  },
  input: z.strictObject({
    limit: queryInteger(1, LIMIT_MAX).optional().meta({ description: 'Most rows to return; 50 by default.' }),
    cursor: PageCursor,
    channelId: uuid.optional().meta({ description: 'Only those of this channel.' }),
    status: z.enum(DELIVERY_STATUSES).optional().meta({ description: 'Only those in this status.' }),
  }),
  output: listOf(DeliveryView),
  resolve: async ({ ctx, reply, input: { limit = LIMIT_DEFAULT, cursor, ...filters } }) => {
    const page = { list: 'deliveries', filters } as const;
    const rows = await listDeliveries(ctx.work, { limit, after: startOf(ctx, cursor, page), ...filters });
    return cutPage({ ctx, reply }, rows, {
      ...page,
      limit,
      positionOf: (row) => ({ createdAt: toIso(row.created_at), id: row.id }),
    }).map(viewDelivery);
  },
});

import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../../db/entities/notification.ts';
import { listDeliveries } from '../../../engine/notifications/deliveries.ts';
import { DeliveryView, viewDelivery } from '../../notifications/schemas.ts';
import { listOf, moment, queryInteger, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const LIMIT_MAX = 200;
const LIMIT_DEFAULT = 50;

/** The delivery log in pages, newest first, each after the last row of the one before. */
export const deliveries = procedure({ scope: 'notifications:read' })
  .input(
    z.strictObject({
      limit: queryInteger(1, LIMIT_MAX).optional(),
      before: z.strictObject({ at: moment, id: uuid }).optional(),
      channelId: uuid.optional(),
      status: z.enum(DELIVERY_STATUSES).optional(),
    }),
  )
  .output(listOf(DeliveryView))
  .query(async ({ ctx, input: { limit = LIMIT_DEFAULT, before, ...filter } }) => {
    const after = before ? { createdAt: before.at, id: before.id } : null;
    const rows = await listDeliveries(ctx.work, { ...filter, limit, after });
    return rows.slice(0, limit).map(viewDelivery);
  });

import { z } from 'zod';
import { resendDelivery } from '../../engine/notifications/deliveries.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { uuid } from '../schemas.ts';
import { Queued } from './schemas.ts';

export const replay = route({
  method: 'POST',
  path: '/api/notification-deliveries/{id}/replay',
  access: { kind: 'scope', scope: 'notifications:write' },
  tag: 'Notifications',
  summary: 'Replay a notification',
  description: 'Sends the same notification to the same channel, under the same id, at the end of the queue.',
  idempotent: true,
  example: { path: { id: EXAMPLE.deliveryId }, response: { deliveryId: EXAMPLE.deliveryId } },
  input: z.strictObject({ id: uuid.meta({ description: 'The delivery.' }) }),
  output: Queued,
  resolve: async ({ ctx, input }) => {
    const deliveryId = await resendDelivery(ctx.work, input.id);
    ctx.wakeNotifications();
    return { deliveryId };
  },
});

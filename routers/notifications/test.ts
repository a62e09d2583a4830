import { testChannel } from '../../engine/notifications/channels.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { ChannelId, Queued } from './schemas.ts';

export const test = route({
  method: 'POST',
  path: '/api/notification-channels/{id}/test',
  access: { kind: 'scope', scope: 'notifications:write' },
  tag: 'Notifications',
  summary: 'Send a test',
  description:
    'Ignores switches and quiet hours, and goes to the end of the queue. The delivery log shows whether it arrived. A test of a webhook has a `data.challenge`: a new one is proven by an answer 2xx whose body is that text.',
  idempotent: true,
  example: { path: { id: EXAMPLE.channelId }, response: { deliveryId: EXAMPLE.deliveryId } },
  input: ChannelId,
  output: Queued,
  resolve: async ({ ctx, input }) => {
    const deliveryId = await testChannel(ctx.work, input.id);
    ctx.wakeNotifications();
    return { deliveryId };
  },
});

import { rotateSecret } from '../../engine/notifications/channels.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { CHANNEL_EXAMPLE, ChannelId, CreatedChannelView, SECRET_EXAMPLE, viewChannel } from './schemas.ts';

export const rotate = route({
  method: 'POST',
  path: '/api/notification-channels/{id}/rotate-secret',
  access: { kind: 'scope', scope: 'notifications:write' },
  tag: 'Notifications',
  summary: 'Rotate the secret of a webhook',
  description:
    'The new secret is shown only in this answer. For 24 hours deliveries also carry a signature by the old secret, so that the receiver can switch.',
  example: { path: { id: EXAMPLE.channelId }, response: { ...CHANNEL_EXAMPLE, secret: SECRET_EXAMPLE } },
  input: ChannelId,
  output: CreatedChannelView,
  resolve: async ({ ctx, input }) => {
    const { row, secret } = await rotateSecret(ctx.work, input.id, ctx.channels.keys);
    return { ...viewChannel(row), secret };
  },
});

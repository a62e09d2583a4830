import { loadChannel } from '../../engine/notifications/channel-row.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { CHANNEL_EXAMPLE, ChannelId, ChannelView, viewChannel } from './schemas.ts';

export const read = route({
  method: 'GET',
  path: '/api/notification-channels/{id}',
  access: { kind: 'scope', scope: 'notifications:read' },
  tag: 'Notifications',
  summary: 'Read a channel',
  description: "A channel's event kinds, its quiet hours, and whether deliveries arrive.",
  example: { path: { id: EXAMPLE.channelId }, response: CHANNEL_EXAMPLE },
  input: ChannelId,
  output: ChannelView,
  resolve: async ({ ctx, input }) => viewChannel(await loadChannel(ctx.work, input.id)),
});

import { z } from 'zod';
import { deleteChannel } from '../../engine/notifications/channels.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { ChannelId } from './schemas.ts';

export const remove = route({
  method: 'DELETE',
  path: '/api/notification-channels/{id}',
  access: { kind: 'scope', scope: 'notifications:write' },
  tag: 'Notifications',
  summary: 'Remove a channel',
  description: 'Also deletes its secrets, its log and its queued deliveries.',
  example: { path: { id: EXAMPLE.channelId }, response: { deleted: true } },
  input: ChannelId,
  output: z.object({ deleted: z.boolean() }),
  resolve: async ({ ctx, input }) => {
    await deleteChannel(ctx.work, input.id);
    return { deleted: true };
  },
});

import { z } from 'zod';
import { listChannels } from '../../engine/notifications/channels.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';
import { CHANNEL_EXAMPLE, ChannelView, viewChannel } from './schemas.ts';

export const list = route({
  method: 'GET',
  path: '/api/notification-channels',
  access: { kind: 'scope', scope: 'notifications:read' },
  tag: 'Notifications',
  summary: 'List channels',
  description: "The account's notification channels, oldest first; at most 20.",
  example: { response: [CHANNEL_EXAMPLE] },
  input: z.strictObject({}),
  output: listOf(ChannelView),
  resolve: async ({ ctx }) => (await listChannels(ctx.work)).map(viewChannel),
});

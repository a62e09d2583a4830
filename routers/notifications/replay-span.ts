import { z } from 'zod';
import { resendDeliveries } from '../../engine/notifications/deliveries.ts';
import { invalid } from '../../engine/platform/errors.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { moment } from '../schemas.ts';
import { ChannelId } from './schemas.ts';

export const replaySpan = route({
  method: 'POST',
  path: '/api/notification-channels/{id}/replay',
  access: { kind: 'scope', scope: 'notifications:write' },
  tag: 'Notifications',
  summary: 'Replay a span',
  description:
    'Sends all notifications that its switches let through, oldest first, under the same ids, at most 1,000. One that is already queued is sent now, at its position in the queue. The queue of a channel holds at most 10,000. Notifications are stored for 30 days.',
  idempotent: true,
  example: {
    path: { id: EXAMPLE.channelId },
    request: { from: '2026-11-20T09:00:00Z', to: '2026-11-20T10:00:00Z' },
    response: { queued: 12 },
  },
  input: ChannelId.extend({ from: moment, to: moment }),
  output: z.object({ queued: z.int() }),
  resolve: async ({ ctx, input }) => {
    const [from, to] = [new Date(input.from), new Date(input.to)];
    if (from >= to) throw invalid([{ path: '/to', code: 'custom', message: 'must be after from' }]);
    const queued = await resendDeliveries(ctx.work, input.id, { from, to });
    ctx.wakeNotifications();
    return { queued };
  },
});

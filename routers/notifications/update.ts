import { z } from 'zod';
import { BodyTemplate } from '../../engine/notifications/channels/body-template.ts';
import { Subscription } from '../../engine/notifications/channels/push.ts';
import { updateChannel } from '../../engine/notifications/channels.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import {
  CHANNEL_EXAMPLE,
  ChannelId,
  ChannelView,
  Label,
  QuietHoursInput,
  SwitchesInput,
  viewChannel,
} from './schemas.ts';

export const update = route({
  method: 'PATCH',
  path: '/api/notification-channels/{id}',
  access: { kind: 'scope', scope: 'notifications:write' },
  tag: 'Notifications',
  summary: 'Change a channel',
  description:
    'An absent field keeps its value. A channel that is turned on again continues with its queued deliveries, in order.',
  example: {
    path: { id: EXAMPLE.channelId },
    request: { switches: { 'order.filled': 'off' }, quietHours: null },
    response: {
      ...CHANNEL_EXAMPLE,
      switches: { ...CHANNEL_EXAMPLE.switches, 'order.filled': 'off' },
      quietHours: null,
    },
  },
  input: ChannelId.extend({
    label: Label.optional(),
    on: z
      .boolean()
      .optional()
      .meta({ description: '`false`: nothing is sent there; notifications from this time can be replayed.' }),
    switches: SwitchesInput.optional(),
    quietHours: QuietHoursInput.nullable().optional(),
    subscription: Subscription.optional().meta({
      description: 'For `push`: the new subscription after the browser renewed the old one.',
    }),
    bodyTemplate: BodyTemplate.nullable().optional().meta({
      description:
        'For `webhook`: the new body of its messages, also of queued ones; `null`: the usual body. It is in no answer.',
    }),
  }),
  output: ChannelView,
  resolve: async ({ ctx, input: { id, on: isOn, ...edit } }) => {
    const row = await updateChannel(ctx.work, id, { ...edit, isOn }, ctx.channels);
    ctx.wakeNotifications();
    return viewChannel(row);
  },
});

import { z } from 'zod';
import { CHANNEL_KINDS } from '../../db/entities/notification.ts';
import { CHANNEL_FIELDS, neededFields } from '../../engine/notifications/channels/catalogue.ts';
import { createChannel } from '../../engine/notifications/channels.ts';
import { secretAnswer } from '../idempotency.ts';
import { route } from '../route.ts';
import {
  CHANNEL_EXAMPLE,
  CreatedChannelView,
  Label,
  QuietHoursInput,
  SECRET_EXAMPLE,
  SwitchesInput,
  viewChannel,
} from './schemas.ts';

export const create = route({
  method: 'POST',
  path: '/api/notification-channels',
  access: { kind: 'scope', scope: 'notifications:write' },
  tag: 'Notifications',
  summary: 'Add a channel',
  description: `Further required fields depend on \`kind\`: ${neededFields()}. Addresses are public and \`https:\`. The secret of a webhook is shown only in this answer. A webhook receives notifications once it has answered a test with the challenge in it.`,
  idempotent: {
    keeping: {
      keep: (answer) => (answer.secret === null ? answer : secretAnswer.keep()),
      recall: async (_call, stored) => {
        const answer = CreatedChannelView.safeParse(stored);
        return answer.success ? answer.data : null;
      },
      lost: 'The first request added the channel. Its answer is not repeated, because it can hold a secret.',
    },
  },
  example: {
    request: {
      kind: 'webhook',
      label: 'Desk',
      url: 'https://desk.example.com/hook',
      switches: { 'summary.daily': 'off' },
      quietHours: { from: '22:00', to: '07:00', zone: 'Europe/Zurich' },
    },
    response: { ...CHANNEL_EXAMPLE, proven: false, secret: SECRET_EXAMPLE },
  },
  input: z.strictObject({
    kind: z.enum(CHANNEL_KINDS),
    label: Label,
    ...CHANNEL_FIELDS,
    switches: SwitchesInput.optional(),
    quietHours: QuietHoursInput.nullable().optional(),
  }),
  output: CreatedChannelView,
  resolve: async ({ ctx, input: { switches = {}, quietHours = null, ...wanted } }) => {
    const { row, secret } = await createChannel(ctx.work, { ...wanted, switches, quietHours }, ctx.channels);
    return { ...viewChannel(row), secret };
  },
});

import { z } from 'zod';
import { CHANNEL_KINDS } from '../../db/entities/notification.ts';
import { CHANNELS } from '../../engine/notifications/channels/catalogue.ts';
import { emailsOf } from '../../engine/notifications/channels.ts';
import { KINDS, NOTIFICATION_KINDS, SWITCHES } from '../../engine/notifications/kinds.ts';
import { readPublicPushKey } from '../../engine/notifications/push-key.ts';
import { route } from '../route.ts';

export const options = route({
  method: 'GET',
  path: '/api/notification-options',
  access: { kind: 'scope', scope: 'notifications:read' },
  tag: 'Notifications',
  summary: 'Read the kinds of notifications and channels',
  description:
    'The kinds of notifications with their default switches, and the channel kinds of this service.',
  example: {
    response: {
      kinds: [{ kind: 'order.pending', title: 'An order waits for approval', usual: 'always' }],
      channels: CHANNEL_KINDS.filter((kind) => kind !== 'email'),
      emails: ['ada@example.com'],
      pushKey: 'BEXAMPLEexampleEXAMPLEexampleEXAMPLEexample',
    },
  },
  input: z.strictObject({}),
  output: z.object({
    kinds: z.array(
      z.object({ kind: z.enum(NOTIFICATION_KINDS), title: z.string(), usual: z.enum(SWITCHES) }),
    ),
    channels: z.array(z.enum(CHANNEL_KINDS)),
    emails: z
      .array(z.string())
      .meta({ description: 'The address of the owner of the account: e-mail goes to no other address.' }),
    pushKey: z.string().nullable().meta({ description: 'The `applicationServerKey` of a subscription.' }),
  }),
  resolve: async ({ ctx }) => {
    const pushKey = await readPublicPushKey(ctx.work.db);
    const has = { mail: ctx.channels.hasMail, keys: ctx.channels.keys !== null, pushKey: pushKey !== null };
    return {
      kinds: NOTIFICATION_KINDS.map((kind) => ({ kind, ...KINDS[kind] })),
      channels: CHANNELS.filter(({ needs }) => needs.every((need) => has[need])).map(({ kind }) => kind),
      emails: await emailsOf(ctx.work),
      pushKey,
    };
  },
});

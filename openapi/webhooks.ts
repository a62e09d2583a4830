/** What the service sends to webhooks, as the description's `webhooks`. */
import { NOTIFICATION_KINDS, type NotificationKind } from '../engine/notifications/kinds.ts';
import { messageOf, type NotificationPayload } from '../engine/notifications/message.ts';
import { EXAMPLE } from '../routers/examples.ts';
import { NOTIFICATION_MODES, webhookOf } from '../routers/notifications/webhook-schemas.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
});

const HEADERS = [
  header('webhook-id', 'The notification: the same however often it is sent.', EXAMPLE.notificationId),
  header('webhook-timestamp', 'When it was sent, seconds since 1970.', '1795165500'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`; several while a secret is rotated, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const ANSWERS = {
  '2XX': { description: 'It arrived.' },
  '410': { description: 'Nobody is there any more: the channel is disabled.' },
  '4XX': { description: 'Final for this message, but for 408, 409, 425 and 429.' },
  default: { description: 'It is sent again, ever later, for three days; no other waits for it.' },
};

/** One entry for each kind of notification, with its schema and an example. */
export const webhooks = (): object =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, described(kind)]));

const CONSOLE = 'https://desk.example.com';

const linkOf = (kind: NotificationKind, data: NotificationPayload['data']): string =>
  messageOf(
    { id: EXAMPLE.notificationId, kind, mode: NOTIFICATION_MODES[0], at: EXAMPLE.createdAt, data },
    CONSOLE,
  ).link;

function described(kind: NotificationKind): object {
  const { title, data, example } = webhookOf(kind);
  return {
    post: {
      operationId: `webhook-${kind.replaceAll(/[._]/g, '-')}`,
      summary: title,
      description: 'Sent to channels of the kind `webhook`, signed as Standard Webhooks has it.',
      tags: ['Notifications'],
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object' as const,
              required: ['type', 'timestamp', 'mode', 'link', 'data'],
              properties: {
                type: { type: 'string' as const, const: kind },
                timestamp: { type: 'string' as const, format: 'date-time' },
                mode: {
                  type: ['string' as const, 'null' as const],
                  enum: NOTIFICATION_MODES,
                  description: 'Whose money it is about; null: of every mode.',
                },
                link: {
                  type: 'string' as const,
                  format: 'uri',
                  description: 'The page of the console that shows it; of an approval, its dialog.',
                },
                data: { type: 'object' as const, properties: data },
              },
            },
            example: {
              type: kind,
              timestamp: EXAMPLE.createdAt,
              mode: NOTIFICATION_MODES[0],
              link: linkOf(kind, example),
              data: example,
            },
          },
        },
      },
      responses: ANSWERS,
    },
  };
}

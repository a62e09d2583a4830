import type { Message } from '../message.ts';
import { secretsInUse, signedHeaders } from '../signature.ts';
import {
  checkUrl,
  defineChannel,
  httpAnswers,
  JSON_HEADERS,
  type Notification,
  url,
} from './define-channel.ts';

const VISIBLE_CHARS_MAX = 500;

/** Returns kind, time, link and all details. The bytes are the same at every attempt. */
export const webhookBody = (
  { kind, mode, at, data }: Notification,
  { link }: Pick<Message, 'link'>,
): string => JSON.stringify({ type: kind, timestamp: at, mode, link, data });

export const webhook = defineChannel({
  kind: 'webhook',
  reader: 'program',
  needs: ['keys'],
  fields: { url },
  destination: (sent, rules) => {
    const address = checkUrl(sent.url, rules);
    return { target: address.slice(0, VISIBLE_CHARS_MAX), secrets: { url: address } };
  },
  write({ notification, message, secrets, now }) {
    const body = webhookBody(notification, message);
    const signed = signedHeaders(
      { id: notification.id, body },
      secretsInUse(secrets.signing ?? [], now),
      now,
    );
    return { url: secrets.url ?? '', headers: { ...JSON_HEADERS, ...signed }, body };
  },
  ...httpAnswers(),
});

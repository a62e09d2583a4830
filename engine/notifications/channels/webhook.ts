import { TEST_KIND } from '../kinds.ts';
import type { Message } from '../message.ts';
import { secretsInUse, signedHeaders } from '../signature.ts';
import { BodyTemplate, fillTemplate } from './body-template.ts';
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
  title: 'Webhook',
  help: 'A program of yours at a public https: address gets every notification as JSON, signed so that it can tell that it comes from here.',
  form: [
    { name: 'url', label: 'Address', placeholder: 'https://desk.example.com/hook' },
    {
      name: 'bodyTemplate',
      label: 'Body (optional)',
      placeholder: '{"text": "{{title}}: {{text}}"}',
      hint: 'JSON of your own; the guide to notifications lists the placeholders. Without it, the body has all details.',
      isLong: true,
    },
  ],
  reader: 'program',
  needs: ['keys'],
  fields: { url, bodyTemplate: BodyTemplate.optional() },
  destination: ({ url: sent, ...template }, rules) => {
    const address = checkUrl(sent, rules);
    return { target: address.slice(0, VISIBLE_CHARS_MAX), secrets: { url: address, ...template } };
  },
  write({ notification, message, secrets, now }) {
    // A test keeps the usual body: a receiver proves itself before it gets any other.
    const template = notification.kind === TEST_KIND ? undefined : secrets.bodyTemplate;
    const body =
      template === undefined
        ? webhookBody(notification, message)
        : fillTemplate(template, notification, message);
    const signed = signedHeaders(
      { id: notification.id, body },
      secretsInUse(secrets.signing ?? [], now),
      now,
    );
    return { url: secrets.url ?? '', headers: { ...JSON_HEADERS, ...signed }, body };
  },
  ...httpAnswers(),
});

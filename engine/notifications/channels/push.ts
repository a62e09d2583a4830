import webPush from 'web-push';
import { z } from 'zod';
import type { Message } from '../message.ts';
import {
  checkUrl,
  defineChannel,
  type HttpRequest,
  hintOf,
  httpAnswers,
  type Notification,
  token,
} from './define-channel.ts';

/** A push service stores messages this long for a browser that is not running. */
const TTL_SEC = 24 * 60 * 60;

export const Subscription = z
  .strictObject({
    endpoint: z.string().max(2_000),
    expirationTime: z.number().nullable().optional(),
    keys: z.strictObject({ p256dh: token(200), auth: token(100) }),
  })
  .meta({ description: 'Of `push`: what the browser’s `PushSubscription.toJSON()` says.' });

/** The payload that the console's service worker shows. */
const bodyOf = ({ title, text, link }: Message, { id, kind }: Notification): string =>
  JSON.stringify({ id, kind, title, body: text, url: new URL(link).pathname + new URL(link).search });

/** The contact for push services, which accept `https:` and `mailto:` only. */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:notifications@localhost.invalid';

export const push = defineChannel({
  kind: 'push',
  title: 'Browser',
  help: 'The browser shows notifications, also while the console is closed. Turn them on in that browser.',
  form: [],
  reader: 'person',
  needs: ['keys', 'pushKey'],
  fields: { subscription: Subscription },
  destination({ subscription: { endpoint, keys } }, rules) {
    const url = checkUrl(endpoint, rules, 'subscription');
    return { target: hintOf(url), secrets: { url, push: keys } };
  },
  /** Encrypts for the browser (RFC 8291) and signs for its push service (RFC 8292). */
  write({ notification, message, secrets, publicUrl, pushKeys }): HttpRequest | string {
    if (pushKeys === null || secrets.push === undefined) return 'the service has no key for push services';
    try {
      const { endpoint, headers, body } = webPush.generateRequestDetails(
        { endpoint: secrets.url ?? '', keys: secrets.push },
        bodyOf(message, notification),
        { TTL: TTL_SEC, urgency: 'high', vapidDetails: { subject: subjectOf(publicUrl), ...pushKeys } },
      );
      const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
      return { url: endpoint, headers: Object.fromEntries(texts), body: body ?? '' };
    } catch {
      return 'its subscription cannot be encrypted for';
    }
  },
  // A push service answers 404 or 410 once the browser has dropped the subscription.
  ...httpAnswers([404, 410]),
});

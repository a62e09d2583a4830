/** How each kind of channel is told one thing. */
import webPush from 'web-push';
import {
  discordBody,
  mailOf,
  pushBody,
  slackBody,
  telegramBody,
  webhookBody,
} from '../../engine/notifications/body.ts';
import { messageOf, type Told } from '../../engine/notifications/message.ts';
import type { PushKeys } from '../../engine/notifications/push-key.ts';
import type { ChannelRow } from '../../engine/notifications/row.ts';
import type { ChannelSecrets } from '../../engine/notifications/secrets.ts';
import { secretsInUse, signedHeaders } from '../../engine/notifications/signature.ts';
import type { Answer } from '../../engine/notifications/verdict.ts';
import type { Mailer } from './mail.ts';
import { type Letter, type Line, type PostOptions, post } from './post.ts';

export type SenderOptions = PostOptions & {
  readonly publicUrl: string;
  readonly mailer: Mailer | null;
  /** Null where the service has no keys to seal its own with. */
  readonly pushKeys: PushKeys | null;
};

const JSON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'trading-strategy-service' };
/** A push service keeps what a browser that is off has not got yet. */
const PUSH_TTL_SEC = 24 * 60 * 60;

/** Sends one thing to one channel. Never throws: what went wrong is the answer. */
export async function tell(
  channel: Pick<ChannelRow, 'kind' | 'target'>,
  told: Told,
  { secrets, line, options }: { secrets: ChannelSecrets; line: Line; options: SenderOptions },
): Promise<Answer> {
  if (channel.kind === 'email') {
    if (options.mailer === null) return { status: null, problem: 'the service sends no e-mail now' };
    return options.mailer.send(channel.target, mailOf(messageOf(told, options.publicUrl)), told.id);
  }
  const letter = letterOf(channel.kind, told, secrets, options);
  return typeof letter === 'string' ? { status: null, problem: letter } : post(letter, line, options);
}

/** What is sent, or why nothing can be. */
function letterOf(
  kind: Exclude<ChannelRow['kind'], 'email'>,
  told: Told,
  secrets: ChannelSecrets,
  { publicUrl, pushKeys }: SenderOptions,
): Letter | string {
  const { url = '' } = secrets;
  const message = messageOf(told, publicUrl);
  switch (kind) {
    case 'webhook': {
      const body = webhookBody(told, message);
      const now = new Date();
      const signed = signedHeaders({ id: told.id, body }, secretsInUse(secrets.signing ?? [], now), now);
      return { url, headers: { ...JSON_HEADERS, ...signed }, body };
    }
    case 'slack':
      return { url, headers: JSON_HEADERS, body: slackBody(message) };
    case 'discord':
      return { url, headers: JSON_HEADERS, body: discordBody(message) };
    case 'telegram':
      return { url, headers: JSON_HEADERS, body: telegramBody(message, secrets.chatId ?? '') };
    case 'push': {
      if (pushKeys === null || secrets.push === undefined) return 'the service has no key for push services';
      return pushLetter({ endpoint: url, keys: secrets.push }, pushBody(message, told), {
        pushKeys,
        publicUrl,
      });
    }
  }
}

/** Encrypted for the browser (RFC 8291), signed for its push service (RFC 8292). */
function pushLetter(
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
  payload: string,
  { pushKeys, publicUrl }: { pushKeys: PushKeys; publicUrl: string },
): Letter | string {
  try {
    const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, payload, {
      TTL: PUSH_TTL_SEC,
      urgency: 'high',
      vapidDetails: { subject: subjectOf(publicUrl), ...pushKeys },
    });
    const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { url: endpoint, headers: Object.fromEntries(texts), body: body ?? '' };
  } catch {
    return 'its subscription cannot be encrypted for';
  }
}

/** Whom a push service turns to: it takes `https:` and `mailto:` alone. */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:notifications@localhost.invalid';

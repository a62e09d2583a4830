/** Delivers one notification to a channel of any kind. */

import type { ChannelRow } from '../../../engine/notifications/channel-row.ts';
import { channelOfKind } from '../../../engine/notifications/channels/catalogue.ts';
import type { ReceiverAnswer } from '../../../engine/notifications/delivery-verdict.ts';
import { messageOf, type NotificationPayload } from '../../../engine/notifications/message.ts';
import type { PushKeys } from '../../../engine/notifications/push-key.ts';
import type { ChannelSecrets } from '../../../engine/notifications/secrets.ts';
import type { Mailer } from './mail.ts';
import { type PostOptions, post, type ReceiverAgents } from './post.ts';

export type SenderOptions = PostOptions & {
  readonly publicUrl: string;
  readonly mailer: Mailer | null;
  /** Null if the service has no keys to seal its push key with. */
  readonly pushKeys: PushKeys | null;
};

/** Sends one notification to one channel. Never throws: an error is an answer. */
export async function sendNotification(
  channel: Pick<ChannelRow, 'kind' | 'target' | 'is_proven'>,
  notification: NotificationPayload,
  { secrets, agents, options }: { secrets: ChannelSecrets; agents: ReceiverAgents; options: SenderOptions },
): Promise<ReceiverAnswer> {
  const { publicUrl, pushKeys, mailer } = options;
  const message = messageOf(notification, publicUrl);
  const outgoing = { notification: notification, message, secrets, publicUrl, pushKeys, now: new Date() };
  const written = channelOfKind(channel.kind).write(outgoing);
  if (typeof written === 'string') return { status: null, problem: written };
  const { challenge } = notification.data;
  const expected = channel.is_proven || typeof challenge !== 'string' ? null : challenge;
  if ('url' in written) return post(written, agents, { ...options, challenge: expected });
  if (mailer === null) return { status: null, problem: 'the service sends no e-mail now' };
  return mailer.send(channel.target, written, notification.id);
}

/** All kinds of channels. A new one needs a file here, its import and its entry, its word in the entity, and a migration. */

import { z } from 'zod';
import type { ChannelKind } from '../../../db/entities/notification.ts';
import type { Channel } from './define-channel.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { push } from './push.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

const LIST = [webhook, slack, discord, telegram, email, push] as const;

type Intersection<Union> = (Union extends Union ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export const CHANNELS: readonly Channel[] = LIST;

/** The fields of all kinds together, as a caller may send them. */
export const CHANNEL_FIELDS = z
  .strictObject(
    Object.assign({}, ...LIST.map(({ fields }) => fields)) as Intersection<(typeof LIST)[number]['fields']>,
  )
  .partial().shape;

export type SentFields = z.output<z.ZodObject<typeof CHANNEL_FIELDS>>;

const byKind = new Map(CHANNELS.map((channel) => [channel.kind, channel]));

export function channelOfKind(kind: ChannelKind): Channel {
  const channel = byKind.get(kind);
  if (channel === undefined) throw new Error(`No file defines the channel kind ${kind}.`);
  return channel;
}

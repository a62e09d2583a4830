/** All kinds of channels. A new one needs a file here, its line in `list.ts`, its word in the entity, and a migration. */

import { z } from 'zod';
import { CHANNEL_KINDS, type ChannelKind } from '../../../db/entities/notification.ts';
import { type Channel, isNeeded } from './define-channel.ts';
import * as channels from './list.ts';

const LIST = CHANNEL_KINDS.map((kind) => channels[kind]);

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

export const channelOfKind = (kind: ChannelKind): Channel => channels[kind];

/** Says which fields each kind needs. */
export const neededFields = (): string => {
  const and = new Intl.ListFormat('en-GB');
  const quoted = (names: readonly string[]) => and.format(names.map((name) => `\`${name}\``));
  const byFields = Map.groupBy(CHANNELS, ({ fields }) =>
    quoted(Object.keys(fields).filter((name) => isNeeded(fields, name))),
  );
  return [...byFields]
    .map(([fields, of]) => `${fields} for ${quoted(of.map(({ kind }) => kind))}`)
    .join(', ');
};

import { CHANNELS } from '../../engine/notifications/channels/catalogue.ts';
import { isNeeded } from '../../engine/notifications/channels/define-channel.ts';
import { ORDER_COLUMNS, type OrderColumn } from '../../engine/trading/orders/read/order-columns.ts';
import { VENUE_IDS, VENUES } from '../../venues/catalogue.ts';

const HEAD = `// From the service's own lists: npm run openapi
import { type Message, msg } from '../language/language.ts';

/** A field of the form that adds a channel. \`address\` is one of the account's own addresses. */
export type ChannelField = {
  readonly name: string;
  readonly label: Message;
  readonly placeholder?: string;
  readonly hint?: Message;
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
};

type ChannelWords = {
  readonly title: Message;
  readonly help: Message;
  /** No fields if no form adds it. */
  readonly fields: readonly ChannelField[];
};
`;

/** The properties that the console shows: they are messages of its catalogs. */
const SHOWN = /"(title|help|label|hint)":("(?:[^"\\]|\\.)*")/g;
const written = (value: unknown): string => JSON.stringify(value).replaceAll(SHOWN, '$1:msg($2)');

/** What the console shows of the service's lists without asking it. */
export function consoleFacts(): string {
  const channels = CHANNELS.map(({ kind, title, help, form, fields }) => {
    const shown = form.map((field) => ({ ...field, isOptional: !isNeeded(fields, field.name) }));
    return `  ${kind}: ${written({ title, help, fields: shown })},`;
  });
  const kinds = CHANNELS.map(({ kind }) => JSON.stringify(kind)).join(' | ');
  const venues = VENUE_IDS.map((venue) => {
    const { title, kind } = VENUES[venue];
    return `  ${JSON.stringify(venue)}: ${written({ title, kind })},`;
  });
  const columns = Object.entries<OrderColumn>(ORDER_COLUMNS).map(([name, column]) => ({ name, ...column }));
  const titled = columns.flatMap(({ name, title, form }) =>
    title === undefined ? [] : [`  ${written({ name, title, form })},`],
  );
  const saved = columns.filter(({ name, isInternal }) => name !== 'id' && !isInternal);
  return `${HEAD}
/** The columns of the table of orders. */
export const ORDER_COLUMNS = [\n${titled.join('\n')}\n] as const;

/** The fields of its CSV. */
export const ORDER_FIELDS = ${JSON.stringify(['id', ...saved.map(({ name }) => name)])} as const;

/** The venues, in the order of lists. */
export const VENUES = {\n${venues.join('\n')}\n} as const;

/** The name of each kind of channel, and its fields. */
export const CHANNEL_WORDS: Readonly<Record<${kinds}, ChannelWords>> = {\n${channels.join('\n')}\n};\n`;
}

/** Events of the account's stream and messages of the stream of values, as the description's schemas. */
import type { OpenAPIObject } from 'trpc-to-openapi';
import { z } from 'zod';
import { PAYLOADS } from '../engine/platform/event-payloads.ts';
import { KIND_NAMES, KINDS } from '../routers/events/event-kinds.ts';
import { VALUE_PAYLOADS, VALUE_TYPES, VALUES } from '../routers/events/value-payloads.ts';
import type { FileKind } from '../routers/trpc.ts';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Name of the schema of any event of a stream. */
type AnyName = NonNullable<FileKind['items']>;

/** `order.changed` is `OrderChangedEvent`. */
const nameOf = (type: string, ending: string): string =>
  `${type
    .split(/[._]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')}${ending}`;

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Described = {
  ending: string;
  description: string;
  types: readonly { type: string; description: string; payload: Schemas[string] }[];
};

/** What each kind of stream sends. */
const ITEMS: Record<AnyName, () => Described> = {
  AccountEvent: () => ({
    ending: 'Event',
    description: 'One event of the stream, by its `type`.',
    types: [
      ...KIND_NAMES.map((kind) => ({
        type: kind,
        description: `Event \`${kind}\`: ${KINDS[kind].tells}.`,
        payload: payloadOf(PAYLOADS[kind], 'input'),
      })),
      {
        type: 'resync',
        description: 'Some missed events are no longer stored: read the resources again.',
        payload: payloadOf(z.strictObject({}), 'input'),
      },
    ],
  }),
  StreamedValue: () => ({
    ending: 'Value',
    description: 'One message of the stream of values, by its `type`.',
    types: VALUE_TYPES.map((type) => ({
      type,
      description: `Message \`${type}\`: ${VALUES[type].tells}.`,
      payload: payloadOf(VALUE_PAYLOADS[type], 'output'),
    })),
  }),
};

/** Each type that a stream sends, with the name and the content of its schema. */
export function itemTypes(items: AnyName) {
  const { ending, types } = ITEMS[items]();
  return types.map((each) => ({ ...each, name: nameOf(each.type, ending), schema: schemaOf(each) }));
}

/** The schemas of what streams send: one for each type, and their union. */
export const eventSchemas = (): Schemas =>
  Object.assign({}, schemasOf('AccountEvent'), schemasOf('StreamedValue'));

function schemasOf(items: AnyName): Schemas {
  const types = itemTypes(items);
  return {
    ...Object.fromEntries(types.map(({ name, schema }) => [name, schema])),
    [items]: {
      description: ITEMS[items]().description,
      oneOf: types.map(({ name }) => refTo(name)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(types.map(({ type, name }) => [type, refTo(name).$ref])),
      },
    },
  };
}

/** Text of which each `data:` line holds one event: OpenAPI 3.1 knows no schema of a stream's items, which `asyncapi.json` has. */
export const streamSchemaOf = (items: AnyName) => ({
  type: 'string' as const,
  contentMediaType: 'application/json',
  contentSchema: refTo(items),
});

/** The content of an event or the query of a stream, as its schema. */
export function payloadOf(payload: z.ZodObject, io: 'input' | 'output'): Schemas[string] {
  const { $schema: _schema, ...json } = z.toJSONSchema(payload, { io });
  // The two libraries' types of JSON Schema do not agree where properties are exact.
  return json as Schemas[string];
}

const schemaOf = ({ type, description, payload }: Described['types'][number]): Schemas[string] => ({
  type: 'object',
  description,
  required: ['type', 'at', 'payload'],
  properties: {
    type: { type: 'string', const: type },
    at: { type: 'string', format: 'date-time' },
    payload,
  },
});

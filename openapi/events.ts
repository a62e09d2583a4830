/** Events of the account's stream, as the description's schemas. */
import type { OpenAPIObject } from 'trpc-to-openapi';
import { z } from 'zod';
import { PAYLOADS } from '../engine/platform/event-payloads.ts';
import { KIND_NAMES, KINDS, type Kind } from '../routers/events/event-kinds.ts';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Name of the schema of any event. */
const ANY = 'AccountEvent';

/** `order.changed` is `OrderChangedEvent`. */
const nameOf = (kind: Kind): string =>
  `${kind
    .split(/[._]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')}Event`;

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** One schema for each kind, and the union of them. */
export const eventSchemas = (): Schemas => ({
  ...Object.fromEntries(KIND_NAMES.map((kind) => [nameOf(kind), schemaOf(kind)])),
  [ANY]: {
    description: 'One event of the stream, by its `type`.',
    oneOf: KIND_NAMES.map((kind) => refTo(nameOf(kind))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(KIND_NAMES.map((kind) => [kind, refTo(nameOf(kind)).$ref])),
    },
  },
});

/** Text of which each `data:` line holds one event: OpenAPI 3.1 knows no schema of a stream's items. */
export const streamSchema = {
  type: 'string' as const,
  contentMediaType: 'application/json',
  contentSchema: refTo(ANY),
};

function schemaOf(kind: Kind): Schemas[string] {
  const { $schema: _schema, ...json } = z.toJSONSchema(PAYLOADS[kind], { io: 'input' });
  // The two libraries' types of JSON Schema do not agree where properties are exact.
  const payload = json as Schemas[string];
  return {
    type: 'object',
    description: `Event \`${kind}\`: ${KINDS[kind].tells}.`,
    required: ['type', 'at', 'payload'],
    properties: {
      type: { type: 'string', const: kind },
      at: { type: 'string', format: 'date-time' },
      payload,
    },
  };
}

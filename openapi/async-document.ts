/** The event streams as an AsyncAPI 3.0 description. OpenAPI 3.1 cannot describe the messages of a stream. */
import { z } from 'zod';
import { ErrorBody } from '../routers/error-body.ts';
import type { FileKind } from '../routers/trpc.ts';
import { itemTypes, payloadOf } from './events.ts';
import { type RestRoute, restRoutes } from './routes.ts';

type Items = NonNullable<FileKind['items']>;

const INTRODUCTION = `The event streams of the service. A \`GET\` of the address answers with server-sent events; with the handshake of a WebSocket, the same events come
as messages, with the same limits and refusals. A block of server-sent events and a message have the same fields: \`id\`, \`event\` and \`data\`. A message is a JSON
object of them. A message without \`event\` says where a reader resumes. Each 15 seconds without an event bring such a
message, a comment or a ping.`;

const END = 'end';
const END_SCHEMA = 'StreamEnd';
const SECURITY_SCHEME = 'Authorization';

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export function buildAsyncDocument(): object {
  const streams = restRoutes.flatMap((route) => {
    const { items } = route.promises.file ?? {};
    return items === undefined ? [] : [{ route, items, channel: route.name.replaceAll('.', '-') }];
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Trading-Strategy Service: event streams',
      version: '1.0',
      description: INTRODUCTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(streams.map(({ channel, ...stream }) => [channel, channelOf(stream)])),
    operations: Object.fromEntries(
      streams.map(({ channel, route }) => [
        `send-${channel}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${channel}` },
          summary: route.meta.openapi?.summary,
          security: [{ $ref: `#/components/securitySchemes/${SECURITY_SCHEME}` }],
        },
      ]),
    ),
    components: {
      schemas: {
        ...Object.fromEntries(
          streams.flatMap(({ items }) => itemTypes(items).map(({ name, schema }) => [name, schema])),
        ),
        [END_SCHEMA]: payloadOf(ErrorBody.shape.error, 'output'),
      },
      securitySchemes: {
        [SECURITY_SCHEME]: { type: 'http', scheme: 'bearer', description: 'An API key: `tsk_…`.' },
      },
    },
  };
}

function channelOf({ route: { path, meta, input }, items }: { route: RestRoute; items: Items }): object {
  const messages = [
    ...itemTypes(items).map(({ type, description, name }) => ({ type, description, name })),
    { type: END, description: 'The service ends the stream, and why.', name: END_SCHEMA },
  ];
  return {
    address: path,
    title: meta.openapi?.summary,
    description: meta.openapi?.description,
    messages: Object.fromEntries(
      messages.map(({ type, description, name }) => [
        type,
        { name: type, summary: description, payload: messageOf(type, name, items) },
      ]),
    ),
    bindings: { ws: { method: 'GET', query: payloadOf(input ?? z.object({}), 'input') } },
  };
}

/** Only events of the account have ids: a reader of values that comes back gets the present. */
const messageOf = (type: string, schema: string, items: Items): object => ({
  type: 'object',
  required: ['event', 'data'],
  properties: {
    ...(items === 'AccountEvent' &&
      type !== END && { id: { type: 'string', description: 'Resume after it.' } }),
    event: { type: 'string', const: type },
    data: schemaRef(schema),
  },
});

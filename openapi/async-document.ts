/** The event streams as an AsyncAPI 3.0 description. OpenAPI 3.1 cannot describe the messages of a stream. */
import { z } from 'zod';
import { ErrorBody } from '../routers/error-body.ts';
import type { FileKind } from '../routers/trpc.ts';
import { itemTypes, payloadOf } from './events.ts';
import { Answer, RequestMessage } from './request-messages.ts';
import { type RestRoute, restRoutes } from './routes.ts';

type Items = NonNullable<FileKind['items']>;

const INTRODUCTION = `The event streams of the service. A \`GET\` of the address answers with server-sent events; with the handshake of a WebSocket, the same events come
as messages, with the same limits and refusals. A block of server-sent events and a message have the same fields: \`id\`, \`event\` and \`data\`. A message is a JSON
object of them. A message without \`event\` says where a reader resumes. Each 15 seconds without an event bring such a
message, a comment or a ping.

Over WebSocket a message of the caller is a request to an operation of \`/openapi.json\`, with the same credentials, limits and refusals as over HTTP.
They are answered one after another, in the order sent; at most 16 are unanswered. A stop or cancel waits for those before it too: one that must not wait goes
over HTTP, or over a connection of its own. A message that is no such request closes the connection, with a reason. So does an answer past 1 MiB, and a stream
or download asked for by message.`;

const END = 'end';
const END_SCHEMA = 'StreamEnd';
const ANSWER = 'answer';
const ANSWER_SCHEMA = 'Answer';
const REQUEST = 'request';
const REQUEST_SCHEMA = 'Request';
const SECURITY_SCHEME = 'Authorization';

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const messageRef = (channel: string, name: string) => ({ $ref: `#/channels/${channel}/messages/${name}` });

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
    operations: Object.fromEntries(streams.flatMap(operationsOf)),
    components: {
      schemas: {
        ...Object.fromEntries(
          streams.flatMap(({ items }) => itemTypes(items).map(({ name, schema }) => [name, schema])),
        ),
        [END_SCHEMA]: payloadOf(ErrorBody.shape.error, 'output'),
        [REQUEST_SCHEMA]: payloadOf(RequestMessage, 'input'),
        [ANSWER_SCHEMA]: payloadOf(Answer, 'output'),
      },
      securitySchemes: {
        [SECURITY_SCHEME]: { type: 'http', scheme: 'bearer', description: 'An API key: `tsk_…`.' },
      },
    },
  };
}

type Stream = { route: RestRoute; items: Items; channel: string };

function operationsOf({ channel, route, items }: Stream): [string, object][] {
  const common = {
    channel: { $ref: `#/channels/${channel}` },
    security: [{ $ref: `#/components/securitySchemes/${SECURITY_SCHEME}` }],
  };
  const sent = [...itemTypes(items).map(({ type }) => type), END];
  return [
    [
      `send-${channel}`,
      {
        ...common,
        action: 'send',
        summary: route.meta.openapi?.summary,
        messages: sent.map((type) => messageRef(channel, type)),
      },
    ],
    [
      `answer-${channel}`,
      {
        ...common,
        action: 'receive',
        summary: 'Answer a request that comes as a message',
        messages: [messageRef(channel, REQUEST)],
        reply: { channel: common.channel, messages: [messageRef(channel, ANSWER)] },
      },
    ],
  ];
}

function channelOf({ route: { path, meta, input }, items }: { route: RestRoute; items: Items }): object {
  const messages = [
    ...itemTypes(items).map(({ type, description, name }) => ({ type, description, name })),
    { type: END, description: 'The service ends the stream, and why.', name: END_SCHEMA },
    { type: ANSWER, description: 'The answer to a request.', name: ANSWER_SCHEMA },
  ];
  return {
    address: path,
    title: meta.openapi?.summary,
    description: meta.openapi?.description,
    messages: {
      ...Object.fromEntries(
        messages.map(({ type, description, name }) => [
          type,
          { name: type, summary: description, payload: messageOf(type, name, items) },
        ]),
      ),
      [REQUEST]: { name: REQUEST, summary: 'A request of the caller.', payload: schemaRef(REQUEST_SCHEMA) },
    },
    bindings: { ws: { method: 'GET', query: payloadOf(input ?? z.object({}), 'input') } },
  };
}

/** Only events of the account have ids: a reader of values that comes back gets the present. */
const messageOf = (type: string, schema: string, items: Items): object => ({
  type: 'object',
  required: ['event', 'data'],
  properties: {
    ...(items === 'AccountEvent' &&
      type !== END &&
      type !== ANSWER && { id: { type: 'string', description: 'Resume after it.' } }),
    event: { type: 'string', const: type },
    data: schemaRef(schema),
  },
});

import { z } from 'zod';
import type { Json } from '../../db/json.ts';
import { DomainError, invalid } from '../../engine/platform/errors.ts';
import { latestEventSeq, type StreamedEvent } from '../../engine/platform/events/event-stream.ts';
import type { AccountContext } from '../context.ts';
import { insufficientScope, viewError } from '../errors.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';
import { uuid } from '../schemas.ts';
import { isKind, KIND_NAMES, KINDS, type Kind } from './event-kinds.ts';
import { type EventBatch, followEvents, readBatch } from './follow-events.ts';

/** The interval of a comment on a quiet stream: proxies cut idle connections. */
const BEAT_MS = 15_000;
const RETRY_MS = 2_000;
const KINDS_LENGTH_MAX = 400;

const NUMBER = /^\d{1,15}$/;
const NUMBER_MESSAGE = 'takes the id of an event that was sent, such as 42';

const kindList = z
  .string()
  .max(KINDS_LENGTH_MAX)
  .refine((text) => text.split(',').every(isKind), {
    error: `takes kinds of events with commas between: ${KIND_NAMES.join(', ')}`,
  });

const Input = z.strictObject({
  lastEventId: z.string().regex(NUMBER, { error: NUMBER_MESSAGE }).optional().meta({
    description:
      'Resume after this event; the header `Last-Event-ID` takes precedence. From now on by default.',
  }),
  kinds: kindList.optional().meta({
    description: 'Only events of these kinds, with commas between. All the key may read by default.',
  }),
  blueprintId: uuid.optional().meta({ description: 'Only events about this blueprint.' }),
});
type StreamInput = z.output<typeof Input>;

const KIND_LIST = KIND_NAMES.map((kind) => `\`${kind}\` (\`${KINDS[kind].scope}\`)`).join(', ');

/** The account's numbered log for keys, as it grows; over tRPC one read of it. */
export const eventStream = fileRoute({
  path: '/api/events',
  access: { kind: 'scope', scope: 'orders:read', orAnyOf: KIND_NAMES.map((kind) => KINDS[kind].scope) },
  tag: 'Events',
  summary: 'Follow the events of the account',
  description: `Server-sent events of the account, in the mode of the key, until the caller hangs up or the key ends. Each has an \`id\`; a reader that comes back
with it as \`Last-Event-ID\` receives what it missed, in order. Any scope of a kind opens it. Kinds, each with the scope that reads it: ${KIND_LIST}. \`resync\` comes
instead of events that are no longer stored: read everything again. \`end\` says why the service ends the stream. A comment every 15 s shows that it is alive.
The handshake of a WebSocket gets the same events as messages, and messages of the caller are requests: \`/asyncapi.json\`.`,
  file: { media: 'text/event-stream', items: 'AccountEvent' },
  example: {
    query: { kinds: 'order.changed,fill.applied' },
    response: `id: 42\nevent: order.changed\ndata: {"type":"order.changed","at":"${EXAMPLE.createdAt}","payload":{"id":"${EXAMPLE.orderId}","blueprintId":"${EXAMPLE.blueprintId}","tokenId":"BTCUSDT","side":"buy","status":"pending"}}\n\n`,
  },
  input: Input,
  chunks: async ({ ctx, input }) => {
    const isIncluded = filterOf(ctx, input);
    // Over tRPC an answer is one value: the events up to now.
    if (ctx.sink === null) return readOnce(ctx, await startOf(ctx, input), isIncluded);
    const ended = ctx.openStream(ctx.principal);
    return followStream(ctx, await startOf(ctx, input), { ended, isIncluded });
  },
});

async function startOf({ work, lastEventId }: AccountContext, input: StreamInput): Promise<number> {
  const after = lastEventId ?? input.lastEventId;
  if (after !== undefined && !NUMBER.test(after))
    throw invalid([
      { path: '', code: 'invalid_format', message: `the header Last-Event-ID ${NUMBER_MESSAGE}` },
    ]);
  return after === undefined ? latestEventSeq(work) : Number(after);
}

type Filter = (event: StreamedEvent) => boolean;

/** @throws DomainError `insufficient_scope` for a requested kind that the caller may not read. */
function filterOf({ principal }: AccountContext, { kinds, blueprintId }: StreamInput): Filter {
  const requestedKinds = kinds?.split(',').filter(isKind) ?? null;
  const mayRead = (kind: Kind) => principal.scopes.has(KINDS[kind].scope);
  const forbidden = requestedKinds?.filter((kind) => !mayRead(kind)) ?? [];
  if (forbidden.length > 0) {
    const scopes = new Set(forbidden.map((kind) => KINDS[kind].scope));
    throw insufficientScope([...scopes], ` for ${[...new Set(forbidden)].join(', ')}`);
  }
  const wanted = new Set<string>(requestedKinds ?? KIND_NAMES.filter(mayRead));
  return (event) =>
    wanted.has(event.type) && (blueprintId === undefined || blueprintOf(event) === blueprintId);
}

function blueprintOf({ type, payload }: StreamedEvent): Json | undefined {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return undefined;
  return type === 'blueprint.changed' ? payload['id'] : payload['blueprintId'];
}

async function* readOnce(ctx: AccountContext, after: number, isIncluded: Filter): AsyncGenerator<string> {
  yield blocksOf(await readBatch(ctx.work, after), isIncluded);
}

async function* followStream(
  ctx: AccountContext,
  after: number,
  { ended, isIncluded }: { ended: AbortSignal; isIncluded: Filter },
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\nid: ${after}\n\n`;
  let lastSentAt = performance.now();
  for await (const batch of followEvents(ctx, after, AbortSignal.any([ctx.live.ended, ended]))) {
    const isLate = performance.now() - lastSentAt >= BEAT_MS;
    const blocks = blocksOf(batch, isIncluded) || (isLate ? beat(batch.seq) : '');
    if (blocks === '') continue;
    yield blocks;
    lastSentAt = performance.now();
  }
  const { reason } = ended;
  if (reason instanceof DomainError) yield block('end', viewError(reason, ctx.requestId));
}

const blocksOf = ({ seq, events, isGap }: EventBatch, isIncluded: Filter): string =>
  isGap
    ? block('resync', { type: 'resync', at: new Date().toISOString(), payload: {} }, seq)
    : events
        .filter(isIncluded)
        .map(({ seq: id, type, at, payload }) => block(type, { type, at, payload }, id))
        .join('');

/** A number without an event: a reader with few events resumes from there. */
const beat = (seq: number): string => `id: ${seq}\n: still here\n\n`;

/** JSON has no line breaks of its own. */
const block = (event: string, data: object, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DomainError, invalid, notFound } from '../../engine/platform/errors.ts';
import { Conflation } from '../../engine/platform/events/conflation.ts';
import type { MarketUpdate, Subject } from '../../engine/platform/instruments/market-fan-out.ts';
import { findInstruments } from '../../engine/trading/orders/terms/instruments.ts';
import { readNodeValuesAndMarkWatched } from '../../engine/usecases/blueprints/drafts/record-watched.ts';
import type { NodeValues } from '../../engine/usecases/blueprints/drafts/row.ts';
import { lookUpGraphInstruments } from '../../engine/usecases/blueprints/running/look-up.ts';
import { type OrderBook, type Quote, venueOf } from '../../venues/port.ts';
import type { AccountContext } from '../context.ts';
import { insufficientScope, viewError } from '../errors.ts';
import { EXAMPLE } from '../examples.ts';
import { fileRoute } from '../file-route.ts';
import { limitVenueLookUps } from '../limit-venue-look-ups.ts';
import { uuid } from '../schemas.ts';
import type { Scope } from '../scopes.ts';
import { VALUE_PAYLOADS, type ValueType } from './value-payloads.ts';

/** The most of each on one stream. */
export const PRICES_MAX = 20;
export const BOOKS_MAX = 5;
export const BLUEPRINTS_MAX = 5;
/** A stream sends at most this many messages in each turn: 20 a second. */
export const MESSAGES_PER_TURN = 5;
export const TURN_MS = 250;
/** Deployments compute their node values this often. */
const NODES_EVERY_MS = 2_000;
/** The interval of a comment on a quiet stream: proxies cut idle connections. */
const BEAT_MS = 15_000;
const RETRY_MS = 2_000;
const LEVELS_MAX = 20;
/** Characters of an id and its comma, at most. */
const ID_LENGTH_MAX = 111;

/** A list in a query, with commas between; each item once. */
const listed = <Item extends z.ZodType<string, string>>(item: Item, most: number) =>
  z
    .string()
    .max(most * ID_LENGTH_MAX)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(item).max(most, { error: `takes at most ${most} with commas between` }));

const instrumentId = z.string().refine((id) => venueOf(id) !== null, {
  error: 'is not the id of an instrument, such as BTCUSDT or TICKER:yes',
});

const Input = z.strictObject({
  prices: listed(instrumentId, PRICES_MAX)
    .optional()
    .meta({
      description: `Instruments whose prices are sent: up to ${PRICES_MAX} ids with commas between.`,
    }),
  books: listed(instrumentId, BOOKS_MAX)
    .optional()
    .meta({
      description: `Instruments whose order books are sent: up to ${BOOKS_MAX} ids with commas between.`,
    }),
  blueprints: listed(uuid, BLUEPRINTS_MAX)
    .optional()
    .meta({
      description: `Blueprints whose node values are sent: up to ${BLUEPRINTS_MAX} ids with commas between.`,
    }),
});

/** A value that waits to be sent; a row that is null was deleted. */
type Value = MarketUpdate | { kind: 'nodes'; id: string; row: NodeValues | null };
type Wanted = { subjects: readonly Subject[]; blueprintIds: readonly string[] };

/** The present of prices, books and node values for keys, as it changes; over tRPC one read of it. */
export const valueStream = fileRoute({
  path: '/api/stream',
  access: { kind: 'scope', scope: 'market_data:read', orAnyOf: ['blueprints:read'] },
  tag: 'Events',
  summary: 'Follow prices, order books and node values',
  description: `Server-sent events of the chosen values, until the caller hangs up or the key ends. Each value is sent once it is known and whenever it
changed, at most 20 messages a second. A slow reader gets the newest value of each. There is no replay: a reader that comes back gets the present. \`prices\` and
\`books\` need \`market_data:read\`, \`blueprints\` needs \`blueprints:read\`. \`unavailable\` comes when a value cannot be read; until it is sent again, treat the last one as old.
\`end\` says why the service ends the stream. A comment every 15 s shows that it is alive.
The handshake of a WebSocket gets the same as messages, and messages of the caller are requests: \`/asyncapi.json\`.`,
  alsoAnswers: [404],
  file: { media: 'text/event-stream', items: 'StreamedValue' },
  example: {
    query: { prices: 'BTCUSDT,ETHUSDT', books: 'BTCUSDT' },
    response: `event: price\ndata: {"type":"price","at":"${EXAMPLE.createdAt}","payload":{"tokenId":"BTCUSDT","bid":86398,"bidSize":2.1,"ask":86398.01,"askSize":0.8,"isTopOfBookKnown":true,"last":86398.01,"volume24h":1582392211.11,"change24h":-0.0093,"marketStatus":"open","asOf":"${EXAMPLE.createdAt}"}}\n\n`,
  },
  input: Input,
  chunks: async ({ ctx, input }) => {
    const wanted = wantedOf(ctx, input);
    const unlisted = await unlistedOf(ctx, wanted.subjects);
    if (ctx.sink === null) return readOnce(ctx, wanted, unlisted);
    const ended = ctx.openStream(ctx.principal);
    const found = await readNodeValuesAndMarkWatched(ctx.work, wanted.blueprintIds);
    if (found.length < wanted.blueprintIds.length) throw notFound();
    return followValues(ctx, wanted, unlisted, ended);
  },
});

/** @throws DomainError `insufficient_scope` for a value that the caller may not read, `validation_failed` for none. */
function wantedOf(
  { principal }: AccountContext,
  { prices = [], books = [], blueprints = [] }: z.output<typeof Input>,
): Wanted {
  const subjects = [...prices.map(subjectOf('price')), ...books.map(subjectOf('book'))];
  requireScope(principal, 'market_data:read', subjects.length > 0, 'prices and books');
  requireScope(principal, 'blueprints:read', blueprints.length > 0, 'node values');
  if (subjects.length + blueprints.length === 0) {
    const message = 'one of prices, books and blueprints is required';
    throw invalid([{ path: '', code: 'required', message }]);
  }
  return { subjects, blueprintIds: blueprints };
}

const subjectOf =
  (of: Subject['of']) =>
  (tokenId: string): Subject => ({ of, tokenId });

function requireScope(
  { scopes }: AccountContext['principal'],
  scope: Scope,
  isWanted: boolean,
  what: string,
): void {
  if (isWanted && !scopes.has(scope)) throw insufficientScope([scope], ` for ${what}`);
}

/**
 * Returns the instruments that no venue lists. Those that are not stored yet are looked up, each counted as a request of the
 * caller. Made-up names would otherwise be requested again with every poll, before what trading needs.
 *
 * @throws DomainError `rate_limited`; a further attempt looks up the rest.
 */
async function unlistedOf(ctx: AccountContext, subjects: readonly Subject[]): Promise<ReadonlySet<string>> {
  const tokenIds = [...new Set(subjects.map(({ tokenId }) => tokenId))];
  const stored = await findInstruments(ctx.work.db, tokenIds);
  const others = tokenIds.filter((tokenId) => !stored.has(tokenId));
  const found = await lookUpGraphInstruments(ctx.work.db, ctx.market, others, limitVenueLookUps(ctx));
  const facts = 'facts' in found ? found.facts : new Map();
  return new Set(others.filter((tokenId) => (facts.get(tokenId) ?? null) === null));
}

async function* readOnce(
  ctx: AccountContext,
  { subjects, blueprintIds }: Wanted,
  unlisted: ReadonlySet<string>,
): AsyncGenerator<string> {
  const nodes = await readNodeValuesAndMarkWatched(ctx.work, blueprintIds);
  if (nodes.length < blueprintIds.length) throw notFound();
  const tokensOf = (of: Subject['of']) =>
    subjects
      .filter((subject) => subject.of === of && !unlisted.has(subject.tokenId))
      .map(({ tokenId }) => tokenId);
  for (const quote of await ctx.market.quotes(tokensOf('price'))) yield priceMessage(quote);
  for (const tokenId of tokensOf('book')) yield bookMessage(await ctx.market.orderBook(tokenId));
  yield* nodes.map(nodesMessage);
}

/** Sends the waiting messages in turns. While a slow reader holds a turn up, newer values replace those that wait. */
async function* followValues(
  ctx: AccountContext,
  { subjects, blueprintIds }: Wanted,
  unlisted: ReadonlySet<string>,
  ended: AbortSignal,
): AsyncGenerator<string> {
  const over = AbortSignal.any([ctx.live.ended, ended]);
  const waiting = new Conflation<Value>();
  const isListed = ({ tokenId }: Subject) => !unlisted.has(tokenId);
  ctx.fanOut.follow(subjects.filter(isListed), {
    accountId: ctx.principal.accountId,
    read: (key, update) => waiting.put(key, update),
    over,
  });
  for (const subject of subjects)
    if (!isListed(subject))
      waiting.put(`${subject.of}:${subject.tokenId}`, { kind: 'unavailable', subject, code: 'not_found' });
  const nodes = new ChangedNodes(ctx, blueprintIds);
  yield `retry: ${RETRY_MS}\n\n`;
  let lastSentAt = performance.now();
  while (!over.aborted) {
    for (const value of await nodes.changed()) waiting.put(`nodes:${value.id}`, value);
    const isLate = performance.now() - lastSentAt >= BEAT_MS;
    const text =
      waiting.take(MESSAGES_PER_TURN).map(messageOf).join('') || (isLate ? ': still here\n\n' : '');
    if (text !== '') {
      yield text;
      lastSentAt = performance.now();
    }
    await sleep(TURN_MS, undefined, { signal: over }).catch(() => {});
  }
  const { reason } = ended;
  if (reason instanceof DomainError) yield block('end', viewError(reason, ctx.requestId));
}

/** Node values of the blueprints of one stream, read together every two seconds. */
class ChangedNodes {
  readonly #ctx: AccountContext;
  readonly #ids: readonly string[];
  readonly #seen = new Map<string, string>();
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(ctx: AccountContext, ids: readonly string[]) {
    this.#ctx = ctx;
    this.#ids = ids;
  }

  /** Returns the blueprints that changed since this was last called. */
  async changed(): Promise<Extract<Value, { kind: 'nodes' }>[]> {
    if (this.#ids.length === 0 || performance.now() - this.#readAtMs < NODES_EVERY_MS) return [];
    this.#readAtMs = performance.now();
    const rows = await readNodeValuesAndMarkWatched(this.#ctx.work, this.#ids);
    const found = new Map(rows.map((row) => [row.id, row]));
    return this.#ids.flatMap((id) => {
      const row = found.get(id) ?? null;
      const text = JSON.stringify(row);
      if (this.#seen.get(id) === text) return [];
      this.#seen.set(id, text);
      return [{ kind: 'nodes', id, row }];
    });
  }
}

function messageOf(value: Value): string {
  switch (value.kind) {
    case 'price':
      return priceMessage(value.quote);
    case 'book':
      return bookMessage(value.book);
    case 'nodes':
      return value.row === null ? missing('nodes', value.id, 'not_found') : nodesMessage(value.row);
    case 'unavailable':
      return missing(value.subject.of, value.subject.tokenId, value.code);
  }
}

type Missing = z.input<typeof VALUE_PAYLOADS.unavailable>;
const missing = (of: Missing['of'], id: string, code: Missing['code']): string =>
  message('unavailable', { of, id, code });

const priceMessage = (quote: Quote): string =>
  message('price', { ...quote, isTopOfBookKnown: quote.topOfBookUnknown !== true });

const bookMessage = ({ bids, asks, ...book }: OrderBook): string =>
  message('book', { ...book, bids: bids.slice(0, LEVELS_MAX), asks: asks.slice(0, LEVELS_MAX) });

const nodesMessage = ({ id, status, deployment_id, node_states }: NodeValues): string =>
  message('nodes', { blueprintId: id, status, deploymentId: deployment_id, nodeStates: node_states });

const message = <Type extends ValueType>(
  type: Type,
  payload: z.input<(typeof VALUE_PAYLOADS)[Type]>,
): string =>
  block(type, { type, at: new Date().toISOString(), payload: VALUE_PAYLOADS[type].parse(payload) });

/** JSON has no line breaks of its own. */
const block = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

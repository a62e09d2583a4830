import type { IncomingMessage } from 'node:http';
import { type Request as ExpressRequest, type RequestHandler, Router } from 'express';
import { DomainError } from '../../engine/platform/errors.ts';
import { OPEN_BODY_BYTES_MAX, readCallBody } from '../../openapi/body.ts';
import type { Context } from '../../routers/context.ts';
import type { Principal } from '../../routers/principal.ts';
import { type Callable, countCall } from '../../routers/trpc.ts';
import { delayRefusal } from '../http-kit/delay-refusal.ts';
import { contextOf } from '../http-kit/requests.ts';
import { isUrgentCall } from './tools.ts';
import { selectedToolsOf } from './toolsets.ts';

/** The most messages of one request. */
const BATCH_MAX = 20;
/** Each message counts as a read, whatever its method. */
const MESSAGE: Callable = { access: { kind: 'session', bucket: 'read' }, type: 'query' };

export type McpOptions = {
  createContext: (request: IncomingMessage) => Promise<Context>;
  onError: (context: Context, error: DomainError) => void;
  /** Origins whose pages may send messages; programs send no origin. */
  origins: ReadonlySet<string>;
};

/**
 * Serves the Model Context Protocol under `/mcp`: streamable HTTP without sessions, answers as JSON. `toolsets` and
 * `readonly=1` in the address select the tools. Its library is loaded with the first request, so that a service without agents
 * does not hold it.
 */
export function mcpHandler({ createContext, onError, origins }: McpOptions): RequestHandler {
  const answer: RequestHandler = async (request: ExpressRequest, response) => {
    const ctx = await createContext(request);
    requireKey(ctx);
    const { origin } = request.headers;
    if (origin !== undefined && !origins.has(origin)) throw foreignOrigin();
    const selected = selectedToolsOf(new URL(request.originalUrl, 'http://mcp').searchParams);
    const message = await readMessage(request, ctx);
    const principal = requireKey(ctx);
    const { answerMessage } = await import('./answer-message.ts');
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    for (const name of ['mcp-protocol-version', 'mcp-session-id']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const answered = await answerMessage(
      { ctx: { ...ctx, principal }, message, headers, selected },
      (error) => onError(ctx, error),
    );
    response.status(answered.status).setHeaders(answered.headers);
    response.end(await answered.text());
  };
  const refuse: RequestHandler = (_request, response) => {
    response.status(405).setHeader('Allow', 'POST').end();
  };
  return Router({ caseSensitive: true, strict: true }).post('/', answer).all('/', refuse);
}

function requireKey({ principal, credentialProblem }: Context): Principal {
  if (principal?.kind !== 'key') throw credentialProblem ?? DomainError.of('credentials_missing');
  return principal;
}

/**
 * Counts and reads the messages of a request: the first before its body, the others before any of them is answered. Past the
 * limit only a few urgent calls are accepted, in a small body.
 *
 * @throws DomainError `rate_limited`, or the problem of the body.
 */
async function readMessage(request: IncomingMessage, ctx: Context): Promise<unknown> {
  const isWithin = await countCall(ctx, MESSAGE);
  const { value, problem } = await readCallBody(request, ctx, isWithin ? undefined : OPEN_BODY_BYTES_MAX);
  const messages = Array.isArray(value) ? value : [value];
  const reads = messages.slice(0, BATCH_MAX).filter((message) => !isUrgentCall(message));
  for (const _message of reads.slice(1)) await countCall(ctx, MESSAGE);
  const refusal = ctx.counted.read?.find((count) => count.refusal)?.refusal;
  if (refusal && reads.length > 0) {
    await delayRefusal(contextOf(request).response, 'keyed');
    throw refusal;
  }
  if (problem) throw problem;
  if (messages.length > BATCH_MAX) throw tooMany();
  return value;
}

const tooMany = () =>
  new DomainError('validation_failed', `A request takes at most ${BATCH_MAX} messages. Send several.`);

const foreignOrigin = () =>
  new DomainError('csrf_rejected', 'Messages from a page need an Origin of this service or of CORS_ORIGINS.');

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { DomainError, type FieldIssue } from '../engine/platform/errors.ts';
import type { Context } from '../routers/context.ts';
import { errorBody, ISSUES_MAX, invalidRequest, pointer, toDomainError } from '../routers/errors.ts';
import { scopesTogether } from '../routers/principal.ts';
import { headersOf } from '../routers/reply.ts';
import { countCall, type RouteMeta } from '../routers/trpc.ts';
import { readCallBody } from './body.ts';
import { callableRouter } from './callable-router.ts';
import { fileHeaders, sendFile } from './file.ts';
import { readQuery } from './query.ts';
import { ALIASES, matchRoute, type RestRoute } from './routes.ts';
import { TrpcToOpenApiRequest } from './trpc-to-openapi-request.ts';

/** Sends a stream as messages, until it ends or the connection is closed. */
export type SendMessages = (stream: AsyncIterable<string | Uint8Array>) => Promise<void>;

export type FacadeOptions = {
  /** Everything about a request but what is wrong with its body and query: who asks, ids, services. */
  createContext: (request: IncomingMessage, route: RestRoute) => Promise<Context>;
  onError: (context: Context, error: DomainError) => void;
  /** How a stream is sent as messages over WebSocket, where the request asks for that; null: as the body of the answer. */
  messagesOf: (request: IncomingMessage) => SendMessages | null;
};

/**
 * REST over the procedures. `trpc-to-openapi` exposes them, each by itself; this stands in front and makes good
 * what it does not: exact routes, `HEAD`, empty bodies, media types, the exact reading of numbers, unknown keys that
 * hide behind path parameters, and one error body, always.
 *
 * A request that is no route of ours goes on to the next handler. A caller without credentials learns 401 and nothing
 * else: its body is not even read.
 */
export function restFacade({ createContext, onError, messagesOf }: FacadeOptions): RequestHandler {
  // Each is made when it is first asked for: the adapter describes what it exposes to itself, which takes a while for all.
  const handlers = new Map<RestRoute, ReturnType<typeof exposed>>();

  return async (request, response, next) => {
    const [requestedPath, search] = splitUrl(request.url);
    const path = ALIASES[requestedPath] ?? requestedPath;
    const route = matchRoute(request.method === 'HEAD' ? 'GET' : request.method, path);
    if (!route) return next();

    const context = await createContext(request, route);
    const call = new TrpcToOpenApiRequest({
      route,
      path,
      context,
      ...(await readRequest(request, context, route, search)),
    });
    context.sink = call;
    replaceBodies(response, call, {
      onError,
      isHead: request.method === 'HEAD',
      sendMessages: messagesOf(request),
    });
    const handle = handlers.get(route) ?? exposed(route);
    handlers.set(route, handle);
    await handle(call as unknown as IncomingMessage, response, next);
  };
}

/** What a route that promises no file hands over in pieces: its answer, where that is long. */
const LONG_LIST = { media: 'application/json' } as const;

const exposed = (route: RestRoute) =>
  createOpenApiNodeHttpHandler({
    router: callableRouter(route),
    createContext: async ({ req }) => TrpcToOpenApiRequest.of(req).context,
    onError: ({ req, error }) => {
      TrpcToOpenApiRequest.of(req).refusal = toDomainError(error);
    },
    responseMeta: ({ ctx }) => ({ headers: ctx ? headersOf(ctx) : {} }),
  });

function splitUrl(url: string): [string, string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/**
 * Counts the call, then reads its query and body. A call that is refused has neither read: the procedure throws the refusal.
 * A problem of query or body is noted in the context, for the procedure to throw once it knows the caller.
 */
async function readRequest(request: IncomingMessage, context: Context, route: RestRoute, search: string) {
  if (!(await countCall(context, route))) return { query: {}, body: {} };
  const query = readQuery(search, route);
  const body = await readCallBody(request, context);
  const value = body.text === '' ? {} : body.value;
  const problem = query.problem ?? body.problem ?? bodyProblem(value, route, query.values);
  context.requestProblem ??= problem;
  return { query: query.values, body: problem || !route.takesBody ? {} : value };
}

/** What the adapter would let pass: a body that is no object, one on a GET, a key that a path parameter would hide. */
function bodyProblem(value: unknown, route: RestRoute, query: Record<string, unknown>): DomainError | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalidRequest([{ path: '', code: 'invalid_type', message: 'the body must be a JSON object' }]);
  }
  const keys = Object.keys(value);
  const hidden = keys.filter((key) => route.pathParameters.includes(key) || key === '__proto__');
  const unread = route.takesBody ? Object.keys(query) : keys;
  const unknown = [...hidden, ...unread].slice(0, ISSUES_MAX).map(
    (key): FieldIssue => ({
      path: pointer([key]),
      code: 'unrecognized_keys',
      message: 'unknown field; the description of this operation lists its fields',
    }),
  );
  return unknown.length > 0 ? invalidRequest(unknown) : null;
}

/**
 * Whatever the adapter would write as an error leaves as our body, with the headers its status asks for; and a file as it
 * is, a piece at a time.
 */
function replaceBodies(
  response: ServerResponse,
  call: TrpcToOpenApiRequest,
  {
    onError,
    isHead,
    sendMessages,
  }: { onError: FacadeOptions['onError']; isHead: boolean; sendMessages: SendMessages | null },
): void {
  const end = response.end.bind(response);
  const endOurs = (chunk?: unknown): ServerResponse => {
    const { context, route } = call;
    const { file } = route.promises;
    if (response.statusCode < 400) {
      if (call.file === null) return end(call.json ?? chunk);
      response.setHeaders(new Map(Object.entries(fileHeaders(file ?? LONG_LIST))));
      if (isHead) return end();
      const sent = sendMessages ? sendMessages(call.file) : sendFile(response, call.file, end);
      void sent.catch((error: unknown) => {
        onError(context, toDomainError(error));
        response.destroy();
      });
      return response;
    }
    const refusal = call.refusal ?? DomainError.of('internal');
    onError(context, refusal);
    for (const [name, value] of Object.entries(errorHeaders(refusal, response.statusCode, route.meta))) {
      response.setHeader(name, value);
    }
    return end(JSON.stringify(errorBody(refusal, context.requestId)));
  };
  response.end = endOurs as typeof response.end;
}

/** RFC 6750 for 401 and 403, `Retry-After` for 429 and 503. */
export function errorHeaders(refusal: DomainError, status: number, meta: RouteMeta): Record<string, string> {
  if (status === 401) {
    const known = refusal.code === 'credentials_invalid' ? ', error="invalid_token"' : '';
    return { 'WWW-Authenticate': `Bearer realm="api"${known}` };
  }
  if (status === 403) {
    const needed = refusal.code === 'insufficient_scope' && meta.access ? scopesTogether(meta.access) : [];
    const detail = needed.length === 0 ? '' : `, error="insufficient_scope", scope="${needed.join(' ')}"`;
    return { 'WWW-Authenticate': `Bearer realm="api"${detail}` };
  }
  if (status === 429 || status === 503 || status === 409) {
    return { 'Retry-After': String(refusal.retryAfterSec ?? 1) };
  }
  return {};
}

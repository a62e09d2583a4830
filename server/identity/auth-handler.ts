import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { DomainError, invalid } from '../../engine/platform/errors.ts';
import { graphProblems } from '../../engine/usecases/blueprints/drafts/graph-bounds.ts';
import { type Body, OPEN_BODY_BYTES_MAX, readBody } from '../../openapi/body.ts';
import { invalidRequest, pointer, routeNotFound } from '../../routers/errors.ts';
import type { AnonymousRequests } from '../http-kit/anonymous-requests.ts';
import { contextOf, pathOf } from '../http-kit/requests.ts';
import type { Auth } from './auth.ts';
import { CLIENT_ADDRESS_HEADER, REQUEST_ID_HEADER } from './auth-headers.ts';
import { SIGN_IN } from './auth-hooks.ts';

/** Headers about this connection, or with claims that only this service may make. */
const NOT_HANDED_ON =
  /^(host|connection|keep-alive|transfer-encoding|content-length|expect|upgrade|x-forwarded-.*|x-internal-.*)$/;

/**
 * Passes `/api/auth/*` to the sign-in framework. The framework reads bodies of any size and depth, and answers an unknown path
 * with an empty body. So route and limits are checked first, bodies are read by our rules, and a missing route gets our error.
 *
 * With `demo` one more route exists, which signs in that user: a sign-in by password, which the service fills in.
 */
export function authHandler(
  auth: Auth,
  anonymous: AnonymousRequests,
  demo: DemoSignIn | null,
): RequestHandler {
  const isRoute = routesOf(auth);
  const isDemo = ({ method, url = '' }: IncomingMessage) =>
    demo !== null && method === 'POST' && pathOf(url) === `/api/auth${DEMO_SIGN_IN}`;
  return async (request, response) => {
    const signsInDemo = isDemo(request);
    if (!signsInDemo && !isRoute(request)) throw routeNotFound();
    const problem = (await anonymous.count(request)) ?? urlProblem(request);
    if (problem) throw problem;
    const body = request.method === 'POST' ? await readBody(request, OPEN_BODY_BYTES_MAX) : NO_BODY;
    const bodyProblem = body.problem ?? problemOf(body);
    if (bodyProblem) throw bodyProblem;
    const answer = await auth.handler(
      signsInDemo
        ? webRequest(auth, request, JSON.stringify(demo), `/api/auth${SIGN_IN}`)
        : webRequest(auth, request, body.text),
    );
    if (answer.status === 404) throw routeNotFound();
    if (answer.status === 503) throw tooManyPasswords();
    if (answer.status >= 500) throw accountsUnavailable();
    await hand(answer, response);
  };
}

/** The e-mail and password of the demo user. */
export type DemoSignIn = { readonly email: string; readonly password: string };

const DEMO_SIGN_IN = '/sign-in/demo';
const NO_BODY: Body = { text: '', value: undefined, problem: null };

type Endpoint = { path?: string; options?: { method?: string | string[] } };

/** Whether the framework has an endpoint for a request, by method and exact path. */
function routesOf(auth: Auth): (request: IncomingMessage) => boolean {
  const endpoints = Object.values(auth.api as Record<string, Endpoint>).flatMap(({ path, options }) =>
    path === undefined
      ? []
      : [{ methods: new Set([options?.method ?? []].flat()), pattern: patternOf(path) }],
  );
  return ({ method = '', url = '' }) => {
    const path = pathOf(url);
    return endpoints.some(({ methods, pattern }) => methods.has(method) && pattern.test(path));
  };
}

const patternOf = (path: string): RegExp => new RegExp(`^/api/auth${path.replaceAll(/:\w+/g, '[^/]+')}$`);

/** Refuses a path or query with a NUL character, as in a body: the database column does not accept it. */
function urlProblem({ url = '' }: IncomingMessage): DomainError | null {
  try {
    if (!decodeURIComponent(url).includes('\u0000')) return null;
  } catch {
    // Broken percent-encoding is refused as well.
  }
  return invalid([], ': the path or query holds a NUL character or is not valid percent-encoding.');
}

/** The framework stores everything in the database; its own 500 has no details. */
export const accountsUnavailable = (cause?: unknown) =>
  new DomainError('database_unavailable', 'Accounts cannot be read right now. Try again in a moment.', {
    retryAfterSec: 2,
    cause,
  });

/** The framework itself never answers 503. */
const tooManyPasswords = () =>
  new DomainError('overloaded', 'Too many people sign in right now. Try again in a moment.', {
    retryAfterSec: 2,
  });

/** Refuses a body that the framework would read as empty, or store changed: half a surrogate pair becomes U+FFFD. */
function problemOf({ text, value }: Body): DomainError | null {
  if (text === '') return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid([], ': the body must be a JSON object.');
  }
  const [unstorable] = graphProblems(value);
  if (!unstorable) return null;
  return invalidRequest([{ path: pointer(unstorable.path), code: 'custom', message: unstorable.message }]);
}

/** Builds the request for the framework, with the address we have verified, whatever its headers claim. */
function webRequest(auth: Auth, request: IncomingMessage, text: string, path = request.url ?? '/'): Request {
  const { address, requestId } = contextOf(request);
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (NOT_HANDED_ON.test(name)) continue;
    for (const value of values) headers.append(name, value);
  }
  headers.set(CLIENT_ADDRESS_HEADER, address.replace(/\/\d+$/, ''));
  headers.set(REQUEST_ID_HEADER, requestId);
  return new Request(new URL(path, auth.options.baseURL), {
    method: request.method ?? 'GET',
    headers,
    ...(text !== '' && { body: text }),
  });
}

async function hand(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.end(withoutSessionTokens(await answer.text()));
}

/** The form of a JSON Web Token: `/api/auth/token` returns one on purpose. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The token of a session belongs into its cookie, which no script can read, and nowhere else. */
function withoutSessionTokens(text: string): string {
  if (!text.includes('"token"')) return text;
  return JSON.stringify(
    JSON.parse(text, (key, value: unknown) =>
      key !== 'token' || (typeof value === 'string' && JWT.test(value)) ? value : undefined,
    ),
  );
}

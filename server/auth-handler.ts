import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { DomainError } from '../engine/errors.ts';
import { type Body, readBody } from '../openapi/body.ts';
import { routeNotFound } from '../routers/errors.ts';
import type { Auth } from './auth.ts';
import { contextOf } from './requests.ts';

/** Where the framework looks for the client's address. Only {@link webRequest} sets it. */
export const CLIENT_ADDRESS_HEADER = 'x-internal-client-ip';
/** And where our hooks in it find the request's id. */
export const REQUEST_ID_HEADER = 'x-internal-request-id';

/** Headers that speak of this connection, or claim what only we may say. */
const NOT_HANDED_ON =
  /^(host|connection|keep-alive|transfer-encoding|content-length|expect|upgrade|x-forwarded-.*|x-internal-.*)$/;

/**
 * Lets the framework answer `/api/auth/*`. It reads bodies of any size and depth and answers an unknown path with
 * nothing at all, so bodies are read by our rules first, and what it does not find is said in our words.
 */
export function authHandler(auth: Auth): RequestHandler {
  return async (request, response) => {
    const body = await readBody(request);
    const problem = body.problem ?? problemOf(body);
    if (problem) throw problem;
    const answer = await auth.handler(webRequest(auth, request, body.text));
    if (answer.status === 404) throw routeNotFound();
    if (answer.status === 503) throw tooManyPasswords();
    if (answer.status >= 500) throw accountsUnavailable();
    await hand(answer, response);
  };
}

/** All the framework keeps is in the database; its own 500 says no more. */
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

/** What the framework would take for an empty body, or store changed: half a surrogate pair becomes U+FFFD. */
function problemOf({ text, value }: Body): DomainError | null {
  if (text === '') return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new DomainError('validation_failed', 'Request validation failed: the body must be a JSON object.');
  }
  const unstorable = Object.entries(value).find(
    ([, field]) => typeof field === 'string' && (!field.isWellFormed() || field.includes('\u0000')),
  );
  if (!unstorable) return null;
  const message = 'holds a character that is none: NUL, or half of a surrogate pair';
  return new DomainError('validation_failed', `Request validation failed at /${unstorable[0]}: ${message}.`, {
    issues: [{ path: `/${unstorable[0]}`, code: 'custom', message }],
  });
}

/** The request as the framework takes it, from the address we know it by, whatever its headers claim. */
function webRequest(auth: Auth, request: IncomingMessage, text: string): Request {
  const { address, requestId } = contextOf(request);
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (NOT_HANDED_ON.test(name)) continue;
    for (const value of values) headers.append(name, value);
  }
  headers.set(CLIENT_ADDRESS_HEADER, address.replace(/\/\d+$/, ''));
  headers.set(REQUEST_ID_HEADER, requestId);
  return new Request(new URL(request.url ?? '/', auth.options.baseURL), {
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

/** What a JSON Web Token looks like: `/api/auth/token` gives one on purpose. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** A session's token belongs into its cookie, which no script reads, and nowhere else. */
function withoutSessionTokens(text: string): string {
  if (!text.includes('"token"')) return text;
  return JSON.stringify(
    JSON.parse(text, (key, value: unknown) =>
      key !== 'token' || (typeof value === 'string' && JWT.test(value)) ? value : undefined,
    ),
  );
}

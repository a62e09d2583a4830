import type { OauthClient } from './clients.ts';
import { isRegistered } from './redirect-uri.ts';

/** The error codes of an authorization response (RFC 6749, 4.1.2.1; RFC 8707). */
export type RequestProblem = {
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target';
  readonly description: string;
};

/** A request for access whose client and redirect address are known to belong together. */
export type AccessRequest = {
  readonly client: OauthClient;
  readonly redirectUri: string;
  readonly state: string | null;
  /** PKCE, method S256. */
  readonly codeChallenge: string;
  /** The scopes asked for that a client can have. */
  readonly scopes: readonly string[];
  /** The fault in the rest of the request; the client is notified. */
  readonly problem: RequestProblem | null;
};

/** The resource and scopes that requests are checked against. */
export type RequestPolicy = {
  /** The address of the one resource that tokens are good for. */
  readonly resource: string;
  /** The scopes that a client can have. */
  readonly scopes: readonly string[];
  /** The scopes offered to a client that asks for none. */
  readonly defaultScopes: readonly string[];
};

const CHALLENGE = /^[\w-]{43}$/;
const STATE_LENGTH_MAX = 2_000;

/**
 * Reads a request for access of this client; null if its redirect address is not a registered one: then nothing may be sent
 * there. Pure.
 */
export function readAccessRequest(
  client: OauthClient,
  query: URLSearchParams,
  policy: RequestPolicy,
): AccessRequest | null {
  const redirectUri = redirectUriOf(client, query.getAll('redirect_uri'));
  if (redirectUri === null) return null;
  const state = query.get('state');
  const wanted = query.get('scope')?.split(' ').filter(Boolean) ?? [];
  const scopes =
    wanted.length === 0 ? policy.defaultScopes : policy.scopes.filter((each) => wanted.includes(each));
  return {
    client,
    redirectUri,
    state: state !== null && state.length <= STATE_LENGTH_MAX ? state : null,
    codeChallenge: query.get('code_challenge') ?? '',
    scopes,
    problem: problemOf(query, policy, scopes),
  };
}

function redirectUriOf({ redirectUris }: OauthClient, requested: readonly string[]): string | null {
  const [only, ...others] = requested.length === 0 ? redirectUris : requested;
  if (only === undefined || others.length > 0) return null;
  return isRegistered(only, redirectUris) ? only : null;
}

function problemOf(
  query: URLSearchParams,
  { resource }: RequestPolicy,
  scopes: readonly string[],
): RequestProblem | null {
  const twice = [...query.keys()].find((name) => name !== 'resource' && query.getAll(name).length > 1);
  if (twice !== undefined) return invalid(`The parameter ${twice.slice(0, 50)} is there twice.`);
  if ((query.get('state')?.length ?? 0) > STATE_LENGTH_MAX)
    return invalid(`The state has more than ${STATE_LENGTH_MAX} characters.`);
  if (query.get('response_type') !== 'code')
    return { error: 'unsupported_response_type', description: 'Only response_type=code is supported.' };
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(query.get('code_challenge') ?? ''))
    return invalid('PKCE is needed: code_challenge of 43 characters with code_challenge_method=S256.');
  if (!query.getAll('resource').every((each) => isResource(each, resource)))
    return { error: 'invalid_target', description: `Tokens are good for ${resource} only.` };
  if (scopes.length === 0)
    return { error: 'invalid_scope', description: 'None of the scopes can be granted to a client.' };
  return null;
}

const invalid = (description: string): RequestProblem => ({ error: 'invalid_request', description });

/** Whether an address names the resource. Its query chooses tools, and nothing else. Pure. */
export function isResource(address: string, resource: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, pathname, hash } = new URL(address);
  return hash === '' && `${origin}${pathname}` === resource;
}

/** The address of the client with an answer to its request: a code, or an error. Pure. */
export function answerAddress(
  { redirectUri, state }: Pick<AccessRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: { readonly code: string } | { readonly error: string; readonly error_description?: string },
): string {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }), iss: issuer }))
    address.searchParams.set(name, value);
  return address.href;
}

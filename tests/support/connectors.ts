/** A hosted connector that knows the address of `/mcp` and nothing else: its requests, and those of the person it asks. */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { bearer, expectOk } from './api.ts';
import { signUp } from './sign-up.ts';
import { type Answer, openWorld, type World } from './world.ts';

export const ISSUER = 'https://trading.test';
export const RESOURCE = `${ISSUER}/mcp`;
export const BACK = 'https://connector.test/callback';
export const VERIFIER = 'v'.repeat(50);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const MINUTE_MS = 60_000;

/** The service, and the session of a person at it, once tests run. */
export let world: World;
export let cookie: string;

/** Opens them for the tests of a file. */
export function openForConnectors(): void {
  beforeAll(async () => {
    world = await openWorld({ settings: { PUBLIC_URL: ISSUER } });
    cookie = (await signUp(world.base, { origin: ISSUER })).cookie;
  });
  afterAll(() => world.close());
}

export type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string };

export const headers = () => ({ cookie, origin: ISSUER });
export const form = (fields: Record<string, string>) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

export async function register(fields: object = {}): Promise<string> {
  const { status, body } = await world.send('POST', '/oauth/register', {
    body: { client_name: 'Connector', redirect_uris: [BACK], ...fields },
  });
  expect(status).toBe(201);
  return (body as { client_id: string }).client_id;
}

/** The request that the consent page gets for an authorization request with these parameters. */
export async function requestOf(parameters: Record<string, string>): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: BACK,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    resource: RESOURCE,
    state: '1e5',
    ...parameters,
  });
  const { status, headers: answered } = await world.send('GET', `/oauth/authorize?${query}`);
  expect(status).toBe(302);
  const page = new URL(answered.get('location') ?? '');
  expect(page.origin + page.pathname).toBe(`${ISSUER}/connect`);
  return page.searchParams.get('request') ?? '';
}

export const view = (request: string) =>
  world.send('GET', `/trpc/console.accessRequest?input=${encodeURIComponent(JSON.stringify({ request }))}`, {
    headers: headers(),
  });
export const dataOf = (answer: Answer) => (answer.body as { result: { data: unknown } }).result.data;

export const grant = (request: string, chosen: object = {}) =>
  world.send('POST', '/trpc/console.grantAccess', {
    headers: headers(),
    body: { request, name: 'My connector', scopes: ['orders:read'], lifetimeDays: 30, ...chosen },
  });

export const grantsOf = (clientId: string) =>
  world.db.selectFrom('oauth_grant').selectAll().where('client_id', '=', clientId);

export const addressOf = (answer: Answer) => new URL((dataOf(answer) as { redirectTo: string }).redirectTo);

export async function codeFor(
  clientId: string,
  scopes = ['orders:read', 'blueprints:read'],
  chosen: object = {},
) {
  const request = await requestOf({ client_id: clientId, scope: scopes.join(' ') });
  return addressOf(await grant(request, { scopes, ...chosen })).searchParams.get('code') ?? '';
}

export const token = (fields: Record<string, string>) => world.send('POST', '/oauth/token', form(fields));
export const redeem = (clientId: string, code: string, fields: Record<string, string> = {}) =>
  token({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: VERIFIER,
    redirect_uri: BACK,
    ...fields,
  });
export const refresh = (clientId: string, refreshToken: string) =>
  token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });

export async function connected(scopes?: string[], chosen?: object): Promise<Tokens & { clientId: string }> {
  const clientId = await register();
  const answer = await redeem(clientId, await codeFor(clientId, scopes, chosen));
  expect(answer.status, answer.text).toBe(200);
  return { ...(answer.body as Tokens), clientId };
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
export const enter = (accessToken: string) =>
  world.send('POST', '/mcp', { headers: bearer(accessToken), body: INITIALIZE });

export function expectError(answer: Answer, status: number, error: string): void {
  expect(answer, answer.text).toMatchObject({
    status,
    body: { error, error_description: expect.stringMatching(/\S/) },
  });
}

/** Asserts a refusal of a procedure. */
export function expectRefused({ status, body, text }: Answer, wanted: number, code: string): void {
  expect({ status, body }, text).toMatchObject({
    status: wanted,
    body: { error: { data: { error: { code } } } },
  });
}

export async function keysOfPerson() {
  return expectOk(await world.send('GET', '/api/agent-keys', { headers: headers() })) as {
    id: string;
    name: string;
    scopes: string[];
    client: { name: string; host: string } | null;
    revokedAt: string | null;
  }[];
}

/** A hosted connector that knows the address of `/mcp` and nothing else. A person decides what it may do. */

import { createHash, randomUUID } from 'node:crypto';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_RETENTION } from '../../server/kernel/retention.ts';
import { expiredRowDeletions } from '../../server/workers/trading/expired-row-deletions.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { signUp } from '../support/sign-up.ts';
import { type Answer, openWorld, type World } from '../support/world.ts';

const ISSUER = 'https://trading.test';
const RESOURCE = `${ISSUER}/mcp`;
const BACK = 'https://connector.test/callback';
const VERIFIER = 'v'.repeat(50);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const MINUTE_MS = 60_000;

let world: World;
let cookie: string;

beforeAll(async () => {
  world = await openWorld({ settings: { PUBLIC_URL: ISSUER } });
  cookie = (await signUp(world.base, { origin: ISSUER })).cookie;
});
afterAll(() => world.close());

type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string };

const headers = () => ({ cookie, origin: ISSUER });
const form = (fields: Record<string, string>) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

async function register(fields: object = {}): Promise<string> {
  const { status, body } = await world.send('POST', '/oauth/register', {
    body: { client_name: 'Connector', redirect_uris: [BACK], ...fields },
  });
  expect(status).toBe(201);
  return (body as { client_id: string }).client_id;
}

/** The request that the consent page gets for an authorization request with these parameters. */
async function requestOf(parameters: Record<string, string>): Promise<string> {
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

const view = (request: string) =>
  world.send('GET', `/trpc/console.accessRequest?input=${encodeURIComponent(JSON.stringify({ request }))}`, {
    headers: headers(),
  });
const dataOf = (answer: Answer) => (answer.body as { result: { data: unknown } }).result.data;

const grant = (request: string, chosen: object = {}) =>
  world.send('POST', '/trpc/console.grantAccess', {
    headers: headers(),
    body: { request, name: 'My connector', scopes: ['orders:read'], lifetimeDays: 30, ...chosen },
  });

const grantsOf = (clientId: string) =>
  world.db.selectFrom('oauth_grant').selectAll().where('client_id', '=', clientId);

const addressOf = (answer: Answer) => new URL((dataOf(answer) as { redirectTo: string }).redirectTo);

async function codeFor(clientId: string, scopes = ['orders:read', 'blueprints:read'], chosen: object = {}) {
  const request = await requestOf({ client_id: clientId, scope: scopes.join(' ') });
  return addressOf(await grant(request, { scopes, ...chosen })).searchParams.get('code') ?? '';
}

const token = (fields: Record<string, string>) => world.send('POST', '/oauth/token', form(fields));
const redeem = (clientId: string, code: string, fields: Record<string, string> = {}) =>
  token({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: VERIFIER,
    redirect_uri: BACK,
    ...fields,
  });
const refresh = (clientId: string, refreshToken: string) =>
  token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });

async function connected(scopes?: string[], chosen?: object): Promise<Tokens & { clientId: string }> {
  const clientId = await register();
  const answer = await redeem(clientId, await codeFor(clientId, scopes, chosen));
  expect(answer.status, answer.text).toBe(200);
  return { ...(answer.body as Tokens), clientId };
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const enter = (accessToken: string) =>
  world.send('POST', '/mcp', { headers: bearer(accessToken), body: INITIALIZE });

function expectError(answer: Answer, status: number, error: string): void {
  expect(answer, answer.text).toMatchObject({
    status,
    body: { error, error_description: expect.stringMatching(/\S/) },
  });
}

/** Asserts a refusal of a procedure. */
function expectRefused({ status, body, text }: Answer, wanted: number, code: string): void {
  expect({ status, body }, text).toMatchObject({
    status: wanted,
    body: { error: { data: { error: { code } } } },
  });
}

async function keysOfPerson() {
  return expectOk(await world.send('GET', '/api/agent-keys', { headers: headers() })) as {
    id: string;
    name: string;
    scopes: string[];
    client: { name: string; host: string } | null;
    revokedAt: string | null;
  }[];
}

describe('a connector that knows the address of /mcp alone', () => {
  test('finds its way, is granted access by a person, calls tools and renews its access', async () => {
    const here: typeof fetch = (target, init) =>
      fetch(String(target).replace(ISSUER, world.base), init as RequestInit);
    const memory: { client?: unknown; tokens?: OAuthTokens; verifier?: string; address?: URL } = {};
    const provider: OAuthClientProvider = {
      redirectUrl: BACK,
      clientMetadata: { client_name: 'Claude', redirect_uris: [BACK] },
      clientInformation: () => memory.client as undefined,
      saveClientInformation: (client) => void Object.assign(memory, { client }),
      tokens: () => memory.tokens,
      saveTokens: (tokens) => void Object.assign(memory, { tokens }),
      redirectToAuthorization: (address) => void Object.assign(memory, { address }),
      saveCodeVerifier: (verifier) => void Object.assign(memory, { verifier }),
      codeVerifier: () => memory.verifier ?? '',
    };
    const refused = await world.send('POST', '/mcp', { body: INITIALIZE });
    const resourceMetadataUrl = new URL(
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '',
    );
    const flow = { serverUrl: RESOURCE, fetchFn: here, resourceMetadataUrl };
    expect(await auth(provider, flow)).toBe('REDIRECT');
    expect(memory.address?.href).toContain(`${ISSUER}/oauth/authorize?`);

    const { headers: page } = await world.send('GET', `${memory.address?.pathname}${memory.address?.search}`);
    const request = new URL(page.get('location') ?? '').searchParams.get('request') ?? '';
    expect(dataOf(await view(request))).toMatchObject({
      name: 'Claude',
      host: 'connector.test',
      problem: null,
    });
    const granted = addressOf(await grant(request, { scopes: ['blueprints:read'] }));
    expect(granted.searchParams.get('iss')).toBe(ISSUER);

    const authorizationCode = granted.searchParams.get('code') ?? '';
    expect(await auth(provider, { ...flow, authorizationCode })).toBe('AUTHORIZED');
    const first = memory.tokens?.access_token;
    expect(await auth(provider, flow)).toBe('AUTHORIZED');
    expect(memory.tokens?.access_token).not.toBe(first);

    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(RESOURCE), {
      fetch: here,
      authProvider: provider,
    });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('blueprints_list');
    expect(tools.map(({ name }) => name)).not.toContain('blueprints_deploy');
    await client.close();
  });

  test('is not led anywhere by a service that its tokens would reach in the clear', async () => {
    const plain = await openWorld({ settings: { PUBLIC_URL: 'http://trading.test' } });
    const refused = await plain.send('POST', '/mcp', { body: INITIALIZE });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize'])
      expectRefusal(await plain.send('GET', path), 404);
    await plain.close();
  });
});

describe('an access token', () => {
  test('is good for /mcp, and for nothing else of this service', async () => {
    const { access_token: accessToken } = await connected(['orders:read']);
    expect((await enter(accessToken)).status).toBe(200);
    for (const path of ['/api/orders', '/api/events', '/api/portfolio'])
      expectRefusal(
        await world.send('GET', path, { headers: bearer(accessToken) }),
        401,
        'credentials_invalid',
      );
  });

  test('is an API key in effect: listed with its client, never rotated by hand, audited, revoked at once', async () => {
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      clientId,
    } = await connected(['orders:read', 'blueprints:deploy'], {
      name: 'Listed',
      envelope: { maxOrder: 20, alwaysApprove: true },
    });
    const key = (await keysOfPerson()).find(({ name }) => name === 'Listed');
    expect(key).toMatchObject({
      scopes: ['orders:read', 'blueprints:deploy'],
      mode: 'paper',
      envelope: { maxOrder: 20, alwaysApprove: true },
      client: { name: 'Connector', host: 'connector.test' },
    });
    const rotated = await world.send('POST', `/api/api-keys/${key?.id}/rotate`, {
      headers: headers(),
      body: {},
    });
    expectRefusal(rotated, 403, 'invalid_state');
    const audited = await world.db
      .selectFrom('audit_event')
      .select(['actor', 'after'])
      .where('subject_id', '=', key?.id ?? '')
      .executeTakeFirstOrThrow();
    expect(audited).toMatchObject({
      actor: expect.stringMatching(/^session:/),
      after: { client: { id: clientId, name: 'Connector', redirectUri: BACK } },
    });

    expectOk(await world.send('DELETE', `/api/api-keys/${key?.id}`, { headers: headers() }));
    expectRefusal(await enter(accessToken), 401, 'credentials_invalid');
    expectError(await refresh(clientId, refreshToken), 400, 'invalid_grant');
  });

  test('ends after an hour, and its successor ends with the key', async () => {
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: sec,
      clientId,
    } = await connected();
    expect(sec).toBe(3_600);
    await world.db
      .updateTable('oauth_grant')
      .set({ access_expires_at: new Date(Date.now() - MINUTE_MS) })
      .where('client_id', '=', clientId)
      .execute();
    expectRefusal(await enter(accessToken), 401, 'credentials_invalid');
    const renewed = (await refresh(clientId, refreshToken)).body as Tokens;
    expect((await enter(renewed.access_token)).status).toBe(200);
    expect((await enter(accessToken)).status).toBe(401);
    await world.db
      .updateTable('api_key')
      .set({ expires_at: new Date(Date.now() - MINUTE_MS) })
      .where('name', '=', 'My connector')
      .execute();
    expectRefusal(await enter(renewed.access_token), 401, 'credentials_invalid');
    expectError(await refresh(clientId, renewed.refresh_token), 400, 'invalid_grant');
  });

  test('can be given back by its client, and by no other', async () => {
    const { access_token: accessToken, refresh_token: refreshToken, clientId } = await connected();
    const giveBack = (client: string, given: string) =>
      world.send('POST', '/oauth/revoke', form({ client_id: client, token: given }));
    expect((await giveBack(await register(), accessToken)).status).toBe(200);
    expect((await enter(accessToken)).status).toBe(200);
    expect((await giveBack(clientId, 'tsk_unknown')).status).toBe(200);
    expect((await giveBack(clientId, refreshToken)).status).toBe(200);
    expect((await enter(accessToken)).status).toBe(401);
  });
});

describe('a refresh token', () => {
  test('is good once: a second use revokes the key, and all that was issued for it', async () => {
    const { refresh_token: first, clientId } = await connected();
    const renewed = (await refresh(clientId, first)).body as Tokens;
    expectError(await refresh(clientId, first), 400, 'invalid_grant');
    expectRefusal(await enter(renewed.access_token), 401, 'credentials_invalid');
    expectError(await refresh(clientId, renewed.refresh_token), 400, 'invalid_grant');
  });

  test('of ten uses at once at most one succeeds, and the key is revoked', async () => {
    const { refresh_token: first, clientId } = await connected();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(clientId, first)));
    const issued = answers.filter(({ status }) => status === 200);
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const { body } of issued) expect((await enter((body as Tokens).access_token)).status).toBe(401);
  });

  test('is refused from another client, without harm to its own', async () => {
    const { refresh_token: first, clientId } = await connected();
    expectError(await refresh(await register(), first), 400, 'invalid_grant');
    expectError(await refresh(clientId, `${first.slice(0, 40)}${randomUUID()}`), 400, 'invalid_grant');
    expect((await refresh(clientId, first)).status).toBe(200);
  });
});

describe('a code', () => {
  test('needs the verifier, the client and the address that it was asked for with', async () => {
    const clientId = await register({ redirect_uris: [BACK, `${BACK}/other`] });
    const code = await codeFor(clientId);
    expectError(await redeem(clientId, code, { code_verifier: 'w'.repeat(50) }), 400, 'invalid_grant');
    expectError(await redeem(clientId, code, { code_verifier: CHALLENGE }), 400, 'invalid_grant');
    expectError(await redeem(clientId, code, { redirect_uri: `${BACK}/other` }), 400, 'invalid_grant');
    expectError(await redeem(await register(), code), 400, 'invalid_grant');
    expectError(await redeem(clientId, code, { resource: `${ISSUER}/api` }), 400, 'invalid_target');
    expectError(await redeem(randomUUID(), code), 401, 'invalid_client');
    expect((await redeem(clientId, code)).status).toBe(200);
  });

  test('is good once: a second use ends what the first one got', async () => {
    const clientId = await register();
    const code = await codeFor(clientId);
    const { access_token: accessToken } = (await redeem(clientId, code)).body as Tokens;
    expectError(await redeem(clientId, code), 400, 'invalid_grant');
    expectRefusal(await enter(accessToken), 401, 'credentials_invalid');
  });

  test('is good for a minute', async () => {
    const clientId = await register();
    const code = await codeFor(clientId);
    await world.db
      .updateTable('oauth_grant')
      .set({ code_expires_at: new Date(Date.now() - 1) })
      .where('client_id', '=', clientId)
      .execute();
    expectError(await redeem(clientId, code), 400, 'invalid_grant');
  });

  test('is worth nothing once the session that granted it has ended', async () => {
    const clientId = await register();
    const code = await codeFor(clientId);
    const other = await signUp(world.base, { origin: ISSUER });
    const sent = { headers: { cookie: other.cookie, origin: ISSUER }, body: {} };
    const request = await requestOf({ client_id: clientId, scope: 'orders:read' });
    const granted = await world.send('POST', '/trpc/console.grantAccess', {
      ...sent,
      body: { request, name: 'Mine', scopes: ['orders:read'], lifetimeDays: 30 },
    });
    expect((await world.send('POST', '/api/auth/sign-out', sent)).status).toBe(200);
    const late = addressOf(granted).searchParams.get('code') ?? '';
    expectError(await redeem(clientId, late), 400, 'invalid_grant');
    expect((await redeem(clientId, code)).status).toBe(200);
  });

  test('ends with the account: also one that was stored while the account was deleted', async () => {
    const clientId = await register();
    const leaver = await signUp(world.base, { origin: ISSUER });
    const sent = { headers: { cookie: leaver.cookie, origin: ISSUER } };
    const request = await requestOf({ client_id: clientId, scope: 'orders:read' });
    const granted = await world.send('POST', '/trpc/console.grantAccess', {
      ...sent,
      body: { request, name: 'Late', scopes: ['orders:read'], lifetimeDays: 30 },
    });
    const stored = await grantsOf(clientId).executeTakeFirstOrThrow();
    const left = await world.send('POST', '/trpc/console.leave', {
      ...sent,
      body: { password: leaver.password },
    });
    expect(left.status, left.text).toBe(200);
    expect(await grantsOf(clientId).execute()).toEqual([]);
    await world.db.insertInto('oauth_grant').values(stored).execute();
    const code = addressOf(granted).searchParams.get('code') ?? '';
    expectError(await redeem(clientId, code), 400, 'invalid_grant');
  });

  test('leaves no secret in the database or the log', async () => {
    const clientId = await register();
    const code = await codeFor(clientId);
    const { access_token: accessToken, refresh_token: refreshToken } = (await redeem(clientId, code))
      .body as Tokens;
    const stored = JSON.stringify([
      await world.db.selectFrom('oauth_grant').selectAll().execute(),
      await world.db.selectFrom('audit_event').selectAll().execute(),
    ]);
    for (const secret of [code, accessToken, refreshToken, VERIFIER]) {
      expect(stored).not.toContain(secret);
      expect(world.logged.join('')).not.toContain(secret);
    }
  });
});

describe('a person', () => {
  test('cannot grant what outlives its key: channels, tokens of signals, other keys', async () => {
    const kept = ['api_keys:write', 'notifications:write', 'signals:write'];
    for (const path of ['oauth-protected-resource/mcp', 'oauth-authorization-server']) {
      const { body } = await world.send('GET', `/.well-known/${path}`);
      const { scopes_supported: scopes } = body as { scopes_supported: string[] };
      expect(scopes).toContain('signals:read');
      expect(scopes).not.toEqual(expect.arrayContaining([expect.stringMatching(kept.join('|'))]));
    }
    const request = await requestOf({ client_id: await register(), scope: `orders:read ${kept.join(' ')}` });
    expect(dataOf(await view(request))).toMatchObject({ scopes: ['orders:read'] });
    for (const scope of kept)
      expectRefused(await grant(request, { scopes: ['orders:read', scope] }), 400, 'validation_failed');
  });

  test('reads what a stranger asks for, and grants at most that', async () => {
    const clientId = await register({ client_name: 'Trust\u202e me\n\u0000', redirect_uris: [BACK] });
    const request = await requestOf({
      client_id: clientId,
      scope: 'openid orders:read api_keys:write risk:read',
    });
    const visible = dataOf(await view(request)) as { declineTo: string };
    expect(visible).toMatchObject({
      name: 'Trust me',
      host: 'connector.test',
      scopes: ['orders:read', 'risk:read'],
    });
    expect(Object.fromEntries(new URL(visible.declineTo).searchParams)).toEqual({
      error: 'access_denied',
      state: '1e5',
      iss: ISSUER,
    });
    expectRefused(
      await grant(request, { scopes: ['orders:read', 'orders:write'] }),
      400,
      'validation_failed',
    );
    expectRefused(await grant(request, { scopes: ['api_keys:write'] }), 400, 'validation_failed');
    expectRefused(await grant(request, { scopes: [] }), 400, 'validation_failed');
    expectRefused(await grant(request, { lifetimeDays: 91 }), 400, 'validation_failed');
    expect((await grant(request)).status).toBe(200);
  });

  test('is offered reading alone for a client that asks for no scope', async () => {
    const request = await requestOf({ client_id: await register() });
    const { scopes } = dataOf(await view(request)) as { scopes: string[] };
    expect(scopes.length).toBeGreaterThan(5);
    expect(scopes.every((scope) => scope.endsWith(':read'))).toBe(true);
  });

  test('decides in a session of this site: a key, a stranger and a foreign page cannot', async () => {
    const request = await requestOf({ client_id: await register() });
    const account = await world.account();
    const body = { request, name: 'Mine', scopes: ['orders:read'], lifetimeDays: 30 };
    const send = (given: Record<string, string>) =>
      world.send('POST', '/trpc/console.grantAccess', { headers: given, body });
    expectRefused(await send(bearer(account.key)), 403, 'session_required');
    expectRefused(await send({}), 401, 'credentials_missing');
    expectRefused(await send({ cookie, origin: 'https://connector.test' }), 403, 'csrf_rejected');
  });

  test.each([
    { response_type: 'token' },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { resource: `${ISSUER}/api` },
    { resource: 'https://elsewhere.test/mcp' },
    { scope: 'openid' },
  ])('cannot grant a request with %o; its client is notified', async (parameters) => {
    const request = await requestOf({ client_id: await register(), ...parameters } as Record<string, string>);
    const visible = dataOf(await view(request)) as { problem: string; declineTo: string };
    expect(visible.problem).toMatch(/\S/);
    expect(new URL(visible.declineTo).searchParams.get('error')).toMatch(/^(invalid|unsupported)_/);
    expectRefused(await grant(request), 400, 'validation_failed');
  });

  test('is sent nowhere by an unknown client, or to an address that its client did not register', async () => {
    const clientId = await register();
    for (const parameters of [
      { client_id: randomUUID() },
      { client_id: 'x' },
      { client_id: clientId, redirect_uri: 'https://thief.test/callback' },
      { client_id: clientId, redirect_uri: `${BACK}/` },
      { client_id: clientId, redirect_uri: `${BACK}?more=1` },
    ]) {
      const request = await requestOf(parameters);
      expectRefused(await view(request), 400, 'validation_failed');
      expectRefused(await grant(request), 400, 'validation_failed');
    }
  });
});

describe('registration', () => {
  test.each([
    'http://connector.test/callback',
    'javascript:alert(1)',
    'myapp://callback',
    'https://connector.test/callback#part',
    'https://connector.test/\u0000',
    'https://connector.test/\ud800',
    ' https://connector.test/callback',
    'https://someone@connector.test/callback',
    `https://connector.test/${'x'.repeat(2_000)}`,
    'no address',
  ])('refuses the address %s', async (address) => {
    const answer = await world.send('POST', '/oauth/register', { body: { redirect_uris: [address] } });
    expectError(answer, 400, 'invalid_redirect_uri');
  });

  test('takes an address of the person’s own machine, whose port may change', async () => {
    const clientId = await register({ redirect_uris: ['http://127.0.0.1:1234/callback'] });
    const request = { client_id: clientId, redirect_uri: 'http://127.0.0.1:5678/callback' };
    expect(dataOf(await view(await requestOf(request)))).toMatchObject({
      host: '127.0.0.1:5678',
      problem: null,
    });
    const other = { client_id: clientId, redirect_uri: 'http://localhost:1234/callback' };
    expectRefused(await view(await requestOf(other)), 400, 'validation_failed');
  });

  test('refuses what is no registration, or is too large', async () => {
    for (const body of [{}, { redirect_uris: 'x' }, [], null, { redirect_uris: [1] }])
      expectError(await world.send('POST', '/oauth/register', { body }), 400, 'invalid_client_metadata');
    expectError(await world.send('POST', '/oauth/register', { raw: '{' }), 400, 'invalid_client_metadata');
    expectError(
      await world.send('POST', '/oauth/register', { body: { redirect_uris: [] } }),
      400,
      'invalid_redirect_uri',
    );
    const large = await world.send('POST', '/oauth/register', { raw: 'x'.repeat(1_000_000) });
    expectError(large, 400, 'invalid_request');
  });

  test('takes few kilobytes of addresses', async () => {
    const long = (name: string) => `${BACK}/${name}${'x'.repeat(1_900)}`;
    await register({ redirect_uris: [long('a'), long('b')] });
    const answer = await world.send('POST', '/oauth/register', {
      body: { redirect_uris: [long('a'), long('b'), long('c')] },
    });
    expectError(answer, 400, 'invalid_redirect_uri');
  });

  test('makes a client that counts as used once its code is redeemed, not when it was granted', async () => {
    const clientId = await register();
    const code = await codeFor(clientId);
    const lastUsed = () =>
      world.db
        .selectFrom('oauth_client')
        .select('last_used_at')
        .where('id', '=', clientId)
        .executeTakeFirstOrThrow();
    expect(await lastUsed()).toEqual({ last_used_at: null });
    await redeem(clientId, code);
    expect(await lastUsed()).toEqual({ last_used_at: expect.anything() });
  });

  test('past the limit is refused until old clients are swept, and evicts none that waits', async () => {
    const waiting = await register();
    const fill = (prefix: string, ageMin: number, count: number) =>
      sql`insert into oauth_client (id, name, redirect_uris, created_at)
        select gen_random_uuid(), ${prefix}, '{}', now() - ${ageMin} * interval '1 minute'
        from generate_series(1, ${count}::int)`.execute(world.db);
    await fill('old', 11, 4_000);
    await fill('young', 9, 6_000);
    const send = () => world.send('POST', '/oauth/register', { body: { redirect_uris: [BACK] } });
    const refused = await send();
    expectError(refused, 503, 'temporarily_unavailable');
    expect(refused.headers.get('retry-after')).toBe('60');
    const sweep = expiredRowDeletions(DEFAULT_RETENTION).find(({ what }) =>
      what.startsWith('clients beyond'),
    );
    for (let batch = 0; batch < 5; batch++) await sweep?.delete.execute(world.db);
    const left = await world.db.selectFrom('oauth_client').select(['id', 'name']).execute();
    expect(left.filter(({ name }) => name === 'old')).toEqual([]);
    expect(left.filter(({ name }) => name === 'young')).toHaveLength(6_000);
    expect(left.map(({ id }) => id)).toContain(waiting);
    expect((await send()).status).toBe(201);
    await sql`delete from oauth_client where redirect_uris = '{}'`.execute(world.db);
  });

  test('is limited by address', async () => {
    const limited = await openWorld({
      settings: { PUBLIC_URL: ISSUER, RATE_LIMITS: '{"registration":{"points":2,"windowSec":60}}' },
    });
    const send = () => limited.send('POST', '/oauth/register', { body: { redirect_uris: [BACK] } });
    expect([(await send()).status, (await send()).status]).toEqual([201, 201]);
    const refused = await send();
    expectError(refused, 429, 'temporarily_unavailable');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await limited.close();
  });
});

/** A hosted connector that knows the address of `/mcp` and nothing else. A person decides what it may do. */

import { randomUUID } from 'node:crypto';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { describe, expect, test } from 'vitest';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import {
  addressOf,
  BACK,
  CHALLENGE,
  codeFor,
  connected,
  cookie,
  dataOf,
  enter,
  expectError,
  expectRefused,
  form,
  grant,
  grantsOf,
  headers,
  INITIALIZE,
  ISSUER,
  keysOfPerson,
  MINUTE_MS,
  openForConnectors,
  RESOURCE,
  redeem,
  refresh,
  register,
  requestOf,
  type Tokens,
  VERIFIER,
  view,
  world,
} from '../support/connectors.ts';
import { signUp } from '../support/sign-up.ts';
import { openWorld } from '../support/world.ts';

openForConnectors();

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

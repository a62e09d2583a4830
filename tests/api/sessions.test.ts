import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { restRoutes } from '../../openapi/routes.ts';
import { createUser } from '../../server/identity/users/users.ts';
import { bearer, expectOk, expectRefusal, pathOf, sendRaw } from '../support/api.ts';
import { dealer } from '../support/deal.ts';
import { openedForFile } from '../support/opened.ts';
import { cookieOf, type SignedIn } from '../support/sign-up.ts';
import { type Answer, ORIGIN, openWorld, type Sent } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

const world = openedForFile(openWorld);

const auth = (path: string, { headers, ...sent }: Sent = {}): Promise<Answer> =>
  world.send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN, ...headers }, ...sent });

const signIn = (email: string, password: string) => auth('sign-in/email', { body: { email, password } });

const as = (cookie: string, more: Record<string, string> = {}) => ({ headers: { cookie, ...more } });

describe('a web session', () => {
  test('it has every scope of its own account, and may do session-only operations', async () => {
    const { cookie } = await world.signUp();
    for (const route of restRoutes) {
      const answer = await world.send(route.method, pathOf(route, MISSING), {
        ...as(cookie, { origin: ORIGIN }),
        ...(route.takesBody && { body: {} }),
      });
      expect([200, 400, 404], `${route.method} ${route.path}: ${answer.text}`).toContain(answer.status);
    }
  });

  test('"Defaults of a new account" are its rules; it has 10,000 USD on paper, and nothing else', async () => {
    const { cookie } = await world.signUp();
    expect(expectOk(await world.send('GET', '/api/risk-rules', as(cookie)))).toEqual({
      maxOrderSize: 100,
      maxDailyLoss: 250,
      maxOpenPositions: 10,
      maxOrdersPerMinute: 10,
      cooldownAfterLossSec: 300,
      requireApprovalAbove: 50,
    });
    for (const path of ['/api/blueprints', '/api/orders', '/api/portfolio/positions', '/api/api-keys']) {
      expect(expectOk(await world.send('GET', path, as(cookie)))).toEqual([]);
    }
  });

  test('a user without an account, as after a crash at sign-up, gets one at the next request', async () => {
    const { cookie, email } = await world.signUp();
    await sql`delete from membership where user_id = (select id from auth."user" where email = ${email})`.execute(
      world.db,
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.send('GET', '/api/portfolio', as(cookie))),
    );
    for (const answer of answers) expectOk(answer);
    const { rows } = await sql`
      select account_id from membership where user_id = (select id from auth."user" where email = ${email})
    `.execute(world.db);
    expect(rows).toHaveLength(1);
  });

  test.each([
    ['tampered with', (cookie: string) => `${cookie.slice(0, -3)}abc`],
    ['without its signature', (cookie: string) => cookie.split('.')[0] ?? ''],
    ['of another name', (cookie: string) => cookie.replace('session_token', 'session')],
    ['of nonsense', () => 'better-auth.session_token=nonsense'],
    ['empty', () => 'better-auth.session_token='],
  ])('401: a cookie that is %s', async (_what, spoil) => {
    const { cookie } = await world.signUp();
    const answer = await world.send('GET', '/api/portfolio', as(spoil(cookie)));
    expectRefusal(answer, 401, 'credentials_missing');
  });

  test('401: a JWT, signed or not, is no credential of this API', async () => {
    const { cookie } = await world.signUp();
    const { token } = (await world.send('GET', '/api/auth/token', as(cookie))).body as { token: string };
    expect(token).toMatch(/^ey/);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    for (const jwt of [token, none]) {
      const answer = await world.send('GET', '/api/portfolio', { headers: bearer(jwt) });
      expectRefusal(answer, 401, 'credentials_invalid');
    }
  });
});

describe('findings about the authentication framework', () => {
  const setExpiry = ({ email }: SignedIn, interval: string) =>
    sql`update auth.session set "expiresAt" = now() + ${interval}::interval
      where "userId" = (select id from auth."user" where email = ${email})`.execute(world.db);

  test('finding 1: an expired session is refused, whatever parses its timestamps', async () => {
    const user = await world.signUp();
    await setExpiry(user, '1 hour');
    expectOk(await world.send('GET', '/api/portfolio', as(user.cookie)));
    for (const ago of ['-1 second', '-2 days']) {
      await setExpiry(user, ago);
      expectRefusal(await world.send('GET', '/api/portfolio', as(user.cookie)), 401, 'credentials_missing');
    }
  });

  test('finding 4: a refused sign-in states the wait in seconds, in Retry-After alone', async () => {
    await using limited = await limitedWorld({ sign_in_email: { points: 1, windowSec: 60 } });
    const { email } = await limited.world.signUp();
    const attempt = () =>
      limited.world.send('POST', '/api/auth/sign-in/email', {
        headers: { origin: ORIGIN },
        body: { email, password: 'wrong password' },
      });
    expect((await attempt()).status).toBe(401);
    const refused = await attempt();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.has('x-retry-after')).toBe(false);
    expectRefusal(refused, 429, 'too_many_auth_failures');
  });

  test('finding 5: a session that ended is refused at once, in every process', async () => {
    const { cookie } = await world.signUp();
    const other = await world.another();
    try {
      const there = `http://127.0.0.1:${other.address?.port}/api/portfolio`;
      const status = async () => (await fetch(there, { headers: { cookie } })).status;
      expect(await status()).toBe(200);
      expect((await auth('sign-out', { headers: { cookie }, body: {} })).status).toBe(200);
      expect(await status()).toBe(401);
      expectRefusal(await world.send('GET', '/api/portfolio', as(cookie)), 401);
    } finally {
      await other.stop();
    }
  });

  test('finding 6: no response of the API contains the token of a session', async () => {
    const { email, password } = await world.signUp();
    const signedIn = await signIn(email, password);
    const cookie = cookieOf(signedIn);
    const token = /session_token=([^.]+)\./.exec(cookie)?.[1] ?? '';
    expect(token.length).toBeGreaterThan(20);
    for (const route of restRoutes.filter(({ method }) => method === 'GET')) {
      const { text } = await world.send('GET', pathOf(route, MISSING), as(cookie));
      expect(text).not.toContain(token);
    }
    expect(world.logged.join('')).not.toContain(token);
  });
});

describe('a cookie acts only from our own pages', () => {
  const changing = restRoutes.filter(({ method, open }) => method !== 'GET' && !open);
  const foreign = dealer<Record<string, string>>([
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${ORIGIN}.evil.example` },
    { origin: ORIGIN.replace('http', 'https') },
    { origin: `${ORIGIN}/` },
  ]);

  test.each(changing.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '403 csrf_rejected: %s with a cookie and no Origin of ours',
    async (_title, route) => {
      const { cookie } = await shared();
      for (const headers of foreign()) {
        const answer = await world.send(route.method, pathOf(route, MISSING), {
          ...as(cookie, headers),
          ...(route.takesBody && { body: {} }),
        });
        expectRefusal(answer, 403, 'csrf_rejected');
      }
    },
  );

  test('403 csrf_rejected: a form of another site, which carries its Origin', async () => {
    const { cookie } = await shared();
    const headers = {
      cookie,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'text/plain',
    };
    const answer = await world.send('POST', '/api/api-keys', { headers, raw: '{"name":"x"}' });
    expectRefusal(answer, 403, 'csrf_rejected');
  });

  test('a cookie needs no Origin to read', async () => {
    const { cookie } = await shared();
    expectOk(await world.send('GET', '/api/portfolio', as(cookie)));
    expectOk(await world.send('GET', '/api/portfolio', as(cookie, { origin: 'https://evil.example' })));
  });

  test('the framework’s own routes refuse a foreign Origin and a foreign callback', async () => {
    const { cookie, email, password } = await shared();
    const foreign = { origin: 'https://evil.example' };
    const signedOut = await auth('sign-out', { headers: { cookie, ...foreign }, body: {} });
    expect(signedOut.status).toBe(403);
    const body = { email, password, callbackURL: 'https://evil.example/' };
    expect((await auth('sign-in/email', { body })).status).toBe(403);
    expectOk(await world.send('GET', '/api/portfolio', as(cookie)));
  });

  test('401: if there is an Authorization header, it alone decides and the cookie is no fallback', async () => {
    const { cookie } = await shared();
    for (const authorization of ['Bearer nonsense', 'Basic eDp4', 'Bearer', 'x']) {
      const answer = await world.send('GET', '/api/portfolio', as(cookie, { authorization, origin: ORIGIN }));
      expectRefusal(answer, 401, 'credentials_invalid');
    }
    const headers = ['Cookie', cookie, 'Authorization', ''];
    const empty = await sendRaw(world.base, { method: 'GET', path: '/api/portfolio', headers });
    expectRefusal(empty, 401, 'credentials_invalid');
  });

  test('a key beside a cookie acts for the key’s account, and with its scopes', async () => {
    const { cookie } = await shared();
    const other = await world.account('blueprints:read');
    const headers = { cookie, origin: ORIGIN, ...bearer(other.key) };
    const body = { name: 'x' };
    expectRefusal(await world.send('POST', '/api/blueprints', { headers, body }), 403, 'insufficient_scope');
    expectRefusal(await world.send('POST', '/api/api-keys', { headers, body }), 403, 'session_required');
  });
});

describe('signing up and in', () => {
  test('claims that a stranger must not make about himself are ignored', async () => {
    const email = 'mallory@example.com';
    const body = {
      email,
      password: 'correct horse battery',
      name: 'M',
      emailVerified: true,
      id: MISSING,
      role: 'admin',
    };
    await auth('sign-up/email', { body });
    const { rows } = await sql<{ id: string; emailVerified: boolean }>`
      select id, "emailVerified" from auth."user" where email = ${email}`.execute(world.db);
    for (const row of rows) {
      expect(row.emailVerified).toBe(false);
      expect(row.id).not.toBe(MISSING);
    }
  });

  test('a short password, a bad address and a NUL are refused without a user, and never 500', async () => {
    const good = { email: 'eve@example.com', password: 'correct horse battery', name: 'Eve' };
    for (const bad of [
      { password: 'short' },
      { password: 'x'.repeat(200) },
      { email: 'no address' },
      { name: 'a\u0000b' },
      { email: 'eve\u0000@example.com' },
      { name: '\ud800' },
      { password: null },
      { email: ['eve@example.com'] },
      { name: { toString: 1 } },
    ]) {
      const answer = await auth('sign-up/email', { body: { ...good, ...bad } });
      expect(answer.status, JSON.stringify(bad)).toBeGreaterThanOrEqual(400);
      expect(answer.status, `${JSON.stringify(bad)} ${answer.text}`).toBeLessThan(500);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
    const { rows } = await sql`select 1 from auth."user" where email like 'eve%'`.execute(world.db);
    expect(rows).toEqual([]);
  });

  test('400: broken, deep, large or odd bodies are refused with our message before the framework reads them', async () => {
    const raws: [string, string, string][] = [
      ['{', 'application/json', 'malformed_json'],
      ['[]', 'application/json', 'validation_failed'],
      [`${'['.repeat(10_000)}`, 'application/json', 'validation_failed'],
      [`{"a":"${'x'.repeat(300_000)}"}`, 'application/json', 'payload_too_large'],
      ['{"__proto__":{"polluted":true}}', 'application/json', ''],
    ];
    for (const [raw, type, code] of raws) {
      const answer = await auth('sign-in/email', { raw, headers: { 'content-type': type } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      if (code !== '') expectRefusal(answer, 400, code);
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('404: a path that the framework lacks, with our message', async () => {
    expectRefusal(await world.send('GET', '/api/auth/nope'), 404, 'route_not_found');
    expectRefusal(await world.send('DELETE', '/api/auth/sign-in/email'), 404, 'route_not_found');
    expectRefusal(await world.send('GET', '/api/auth'), 404, 'route_not_found');
  });

  test('a nonsensical Host header causes no error of ours', async () => {
    for (const host of ['[', 'a b', '%', 'evil.example']) {
      const answer = await sendRaw(world.base, {
        method: 'GET',
        path: '/api/auth/ok',
        headers: ['Host', host],
      });
      expect(answer.status, host).toBeLessThan(500);
    }
  });

  test('the key set shows public keys only', async () => {
    const { body } = await world.send('GET', '/api/auth/jwks');
    const { keys } = body as { keys: Record<string, string>[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });

  test('SIGN_UP=closed: sign-up is refused, and a user that an operator created signs in', async () => {
    await using closed = await openWorld({ settings: { SIGN_UP: 'closed' } });
    await expect(closed.signUp('new@example.com')).rejects.toThrow(/400|403/);
    const { rows } = await sql`select 1 from auth."user"`.execute(closed.db);
    expect(rows).toEqual([]);
    const user = { email: 'op@example.com', name: 'Op', password: 'correct horse battery' };
    await createUser(closed.service.auth, user);
    const answer = await closed.send('POST', '/api/auth/sign-in/email', {
      headers: { origin: ORIGIN },
      body: user,
    });
    expect(answer.status).toBe(200);
    expectOk(await closed.send('GET', '/api/portfolio', as(cookieOf(answer))));
  });

  test('the sign-in page lists its providers, also where sign-up is closed', async () => {
    const secrets = { GITHUB_CLIENT_ID: 'our-id', GITHUB_CLIENT_SECRET: 'our-secret' };
    await using closed = await openWorld({ settings: { SIGN_UP: 'closed', ...secrets } });
    const providers = await closed.send('GET', '/trpc/console.entrance?input=%7B%7D');
    expect(providers.body).toEqual({
      result: {
        data: {
          signUp: false,
          providers: ['github'],
          prices: 'simulator',
          demo: true,
          demoSignIn: false,
          mail: false,
        },
        meta: { requestId: expect.any(String) },
      },
    });
    expect(providers.text).not.toContain('our-');
    const sent = await closed.send('POST', '/api/auth/sign-in/social', {
      headers: { origin: ORIGIN },
      body: { provider: 'github', callbackURL: '/', errorCallbackURL: '/sign-in' },
    });
    expect((expectOk(sent) as { url: string }).url).toMatch(/^https:\/\/github\.com\/.*client_id=our-id/);
    const usual = await world.send('GET', '/trpc/console.entrance?input=%7B%7D');
    expect(usual.body).toEqual({
      result: {
        data: {
          signUp: true,
          providers: [],
          prices: 'simulator',
          demo: true,
          demoSignIn: false,
          mail: false,
        },
        meta: { requestId: expect.any(String) },
      },
    });
  });

  test('cookies are HttpOnly and SameSite, and Secure where people come by https', async () => {
    const email = 'cookie@example.com';
    const body = { email, password: 'correct horse battery', name: 'C' };
    const [cookie = ''] = (await auth('sign-up/email', { body })).headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    const origin = 'https://console.test';
    await using secure = await openWorld({ settings: { PUBLIC_URL: origin } });
    const answer = await secure.send('POST', '/api/auth/sign-up/email', { headers: { origin }, body });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-better-auth\.session_token=.*; Secure/);
  });
});

let user: Promise<SignedIn> | undefined;
const shared = (): Promise<SignedIn> => {
  user ??= world.signUp();
  return user;
};

async function limitedWorld(limits: object) {
  const limited = await openWorld({ settings: { RATE_LIMITS: JSON.stringify(limits) } });
  return { world: limited, [Symbol.asyncDispose]: () => limited.close() };
}

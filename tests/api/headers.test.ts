import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

const DOCS_ORIGIN = 'https://docs.example';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const world = openedForFile(() =>
  openWorld({ settings: { CORS_ORIGINS: `${DOCS_ORIGIN}, https://app.example:8443` } }),
);
let account: Account;

beforeAll(async () => {
  account = await world.account();
});

const EVERYWHERE: [what: string, method: string, path: string, status: number][] = [
  ['a success', 'GET', '/health', 200],
  ['a refusal', 'GET', '/api/orders', 401],
  ['a missing route', 'GET', '/api/nope', 404],
  ['a missing page', 'GET', '/nope', 404],
  ['the description', 'GET', '/openapi.json', 200],
  ['the description of the streams', 'GET', '/asyncapi.json', 200],
  ['the docs', 'GET', '/docs', 200],
  ['a script of the docs', 'GET', '/docs/assets/standalone.esm.js', 200],
  ['the framework', 'GET', '/api/auth/jwks', 200],
  ['a refusal of the framework', 'POST', '/api/auth/sign-in/email', 400],
  ['a procedure', 'GET', '/trpc/orders.list', 401],
  ['a missing procedure', 'GET', '/trpc/nope', 404],
  ['a preflight', 'OPTIONS', '/api/orders', 204],
];

describe('security headers', () => {
  test.each(EVERYWHERE)('%s carries them', async (_what, method, path, status) => {
    const answer = await world.send(
      method,
      path,
      method === 'POST' ? { body: {}, headers: { origin: ORIGIN } } : {},
    );
    expect(answer.status).toBe(status);
    const { headers } = answer;
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(UUID);
  });

  test.each(EVERYWHERE.filter(([, method, path]) => method !== 'OPTIONS' && !path.startsWith('/docs/')))(
    '%s is not to be stored',
    async (_what, method, path) => {
      const answer = await world.send(
        method,
        path,
        method === 'POST' ? { body: {}, headers: { origin: ORIGIN } } : {},
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test('files that the docs load may be cached: their name changes with their content, or their version with the service', async () => {
    const { headers } = await world.send('GET', '/docs/assets/standalone.esm.js');
    expect(headers.get('cache-control')).toMatch(/max-age=86400/);
  });

  test('a response with a key in it tells every cache and log not to store it', async () => {
    const { headers } = await account.http('GET', '/api/api-keys');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json');
  });

  test('the docs load nothing from other origins, and no page can be framed by another', async () => {
    const { text, headers } = await world.send('GET', '/docs');
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/https?:|unsafe-eval|\*/);
    const { text: script } = await world.send('GET', '/docs/init.js');
    expect(script).not.toMatch(/https?:\/\//);
  });
});

describe('X-Request-Id', () => {
  test('the caller’s own id is kept if it is harmless, and is in the error too', async () => {
    const headers = { 'x-request-id': 'trace_0123-ABC' };
    const answer = await world.send('GET', '/api/orders', { headers });
    expect(answer.headers.get('x-request-id')).toBe('trace_0123-ABC');
    expect(expectRefusal(answer, 401).requestId).toBe('trace_0123-ABC');
  });

  test.each(['short', 'x'.repeat(65), 'has a space', 'semi;colon', '<script>', 'a%0ab', 'schl\u00fcssel1'])(
    'one like %j is replaced by ours',
    async (id) => {
      const answer = await world.send('GET', '/health', { headers: { 'x-request-id': id } });
      expect(answer.headers.get('x-request-id')).toMatch(UUID);
    },
  );

  test('no two requests share one', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.send('GET', '/health')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50);
  });
});

describe('other origins', () => {
  const preflight = (origin: string, path = '/api/orders') =>
    world.send('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    });

  test.each([DOCS_ORIGIN, 'https://app.example:8443'])('%s may call with a key', async (origin) => {
    const { headers } = await preflight(origin);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')).toBe('GET,POST,PUT,PATCH,DELETE');
    const allowed = headers.get('access-control-allow-headers')?.split(',') ?? [];
    expect(allowed).toEqual(
      expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match']),
    );
    const answer = await account.http('GET', '/api/orders', undefined, { origin });
    expectOk(answer);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const exposed = answer.headers.get('access-control-expose-headers')?.split(',') ?? [];
    expect(exposed).toEqual(
      expect.arrayContaining([
        'ETag',
        'Link',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Request-Id',
        'Idempotent-Replayed',
      ]),
    );
  });

  test.each([
    'https://evil.example',
    'null',
    `${DOCS_ORIGIN}.evil.example`,
    'https://evil.example?docs.example',
    'http://docs.example',
    `${DOCS_ORIGIN}:444`,
    'https://DOCS.example.evil',
    'https://app.example',
    '*',
  ])('%s gets no CORS header', async (origin) => {
    for (const answer of [
      await preflight(origin),
      await account.http('GET', '/api/orders', undefined, { origin }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('no origin may send a cookie, and responses vary by origin for every cache', async () => {
    for (const origin of [DOCS_ORIGIN, 'https://evil.example']) {
      const { headers } = await preflight(origin);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  test('403: an allowed origin still cannot act with a session', async () => {
    const { cookie } = await world.signUp();
    const headers = { cookie, origin: DOCS_ORIGIN };
    expectRefusal(
      await world.send('POST', '/api/blueprints', { headers, body: { name: 'x' } }),
      403,
      'csrf_rejected',
    );
  });

  test('a refusal can be read by an allowed origin too', async () => {
    for (const [path, status] of [
      ['/api/orders', 401],
      ['/api/nope', 404],
    ] as const) {
      const answer = await world.send('GET', path, { headers: { origin: DOCS_ORIGIN } });
      expectRefusal(answer, status);
      expect(answer.headers.get('access-control-allow-origin')).toBe(DOCS_ORIGIN);
    }
  });

  test('without a setting no other origin may call', { tags: ['long'] }, async () => {
    await using closed = await openWorld();
    const { headers } = await closed.send('GET', '/health', { headers: { origin: DOCS_ORIGIN } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('a bearer challenge names the realm, and the error only if a key was sent', async () => {
  const missing = await world.send('GET', '/api/orders');
  expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="api"');
  const invalid = await world.send('GET', '/api/orders', { headers: bearer('tsk_x') });
  expect(invalid.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
});

import { beforeAll, describe, expect, test } from 'vitest';
import { restRoutes } from '../../openapi/routes.ts';
import { bearer, expectOk, expectRefusal, pathOf, sendBytes, sendRaw, titleOf } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
const paths = [...new Set(restRoutes.map(({ path }) => path))];
const titled = restRoutes.map((route) => [titleOf(route), route] as const);

type Described = { paths: Record<string, Record<string, unknown>> };

const world = openedForFile(openWorld);
let account: Account;

beforeAll(async () => {
  account = await world.account();
});

/** A request with an immediate response: for a stream, which ends with its reader, a refused one. */
const endingPathOf = (route: { path: string }) =>
  pathOf(route, MISSING) + (route.path === '/api/events' ? '?lastEventId=x' : '');

const ask = (method: string, path: string) =>
  sendRaw(world.base, { method, path, headers: ['Authorization', `Bearer ${account.key}`] });

describe('every served route is described', () => {
  test('openapi.json describes every operation, and no other', async () => {
    const { paths: described } = (await world.send('GET', '/openapi.json')).body as Described;
    const operations = Object.entries(described).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = [...restRoutes.map(titleOf), 'GET /api/health'];
    expect(operations.sort()).toEqual(served.sort());
  });

  test.each(titled)('%s is served', async (_title, { method, path }) => {
    const answer = await ask(method, endingPathOf({ path }));
    expect(answer.text).not.toContain('route_not_found');
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  test.each(paths)('404 route_not_found: %s with any undescribed method', async (path) => {
    const described = new Set(restRoutes.filter((route) => route.path === path).map(({ method }) => method));
    const shadowed = new Set(
      restRoutes
        .filter((route) => matches(route.path, pathOf({ path }, MISSING)))
        .map(({ method }) => method),
    );
    for (const method of METHODS) {
      if (described.has(method) || shadowed.has(method)) continue;
      expectRefusal(await ask(method, pathOf({ path }, MISSING)), 404, 'route_not_found');
    }
  });

  test.each(paths)(
    '404 route_not_found: %s in another case, with a slash behind or in front',
    async (path) => {
      const url = pathOf({ path }, MISSING);
      const others = [url.toUpperCase(), `${url}/`, `/${url}`, `${url}/x/y/z`, `/x${url}`];
      for (const other of others) {
        if (other === url) continue;
        for (const { method } of restRoutes.filter((route) => route.path === path)) {
          expectRefusal(await ask(method, other), 404, 'route_not_found');
        }
      }
    },
  );

  test('GET / gives a program the address of the API, and a person a page', async () => {
    const root = await ask('GET', '/');
    expect(root.status).toBe(200);
    const { docs, openapi, health, ready } = root.body as Record<string, string>;
    for (const path of [docs, openapi, health, ready])
      expect((await ask('GET', path ?? '')).status).toBe(200);
    const { status, headers } = await world.send('GET', '/', { headers: { accept: 'text/html' } });
    expect([status, headers.get('location')]).toEqual([302, '/docs']);
  });

  test('guides are pages whose links lead to pages', async () => {
    const { text } = await ask('GET', '/docs');
    expect(text).toContain('<details id="orders-approve">');
    const isOurs = (path: string) => path.startsWith('/docs/guides/');
    const linksOf = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    const anchors = new Map<string, string>();
    const toSee = new Set(linksOf(text).filter(isOurs));
    for (const link of toSee) {
      const [path = '', anchor] = link.split('#');
      if (!anchors.has(path)) {
        const guide = await ask('GET', path);
        expect([path, guide.status]).toEqual([path, 200]);
        anchors.set(path, guide.text);
        for (const href of linksOf(guide.text)) {
          if (isOurs(href)) toSee.add(href);
          else if (href.startsWith('#')) toSee.add(path + href);
        }
      }
      if (anchor !== undefined) expect(anchors.get(path), link).toContain(`id="${anchor}"`);
    }
    expect(anchors.size).toBeGreaterThan(8);
    const llms = await ask('GET', '/llms.txt');
    expect(llms.headers.get('content-type')).toMatch(/^text\/plain/);
    const [link = ''] = /\/docs\/guides\/strategies\.md/.exec(llms.text) ?? [];
    const markdown = await ask('GET', link);
    expect(markdown.headers.get('content-type')).toMatch(/^text\/markdown/);
    expect(markdown.text).toMatch(/^# Strategies/);
    expectRefusal(await ask('GET', '/docs/guides/operations.md'), 404, 'route_not_found');
    expectRefusal(await ask('GET', '/docs/guides/operations'), 404, 'route_not_found');
    expectRefusal(await ask('GET', '/docs/guides/toString'), 404, 'route_not_found');
  });

  test.each([
    '/api',
    '/api/',
    '/api/nope',
    '/trpcx/system.health',
    '/TRPC/system.health',
    '/OPENAPI.JSON',
    '/openapi.json/',
    '/openapi.yaml',
    '/DOCS',
    '/docs/nope',
    '/docs/assets/standalone.esm.js.map',
    '/docs/assets',
    '/docs/assets/',
    '/docs/assets/chunks',
    '/api/auth/reference',
    '/metrics',
    '/debug',
    '/.env',
    '/package.json',
    '/openapi/openapi.json',
    '/docs/assets/../../package.json',
    '/docs/assets/standalone.esm.js.map',
    '/docs/assets/standalone.esm.js%2emap',
    '/docs/assets/standalone.esm.js%2Emap',
    '/docs/assets/standalone.esm.js.ma%70',
    '/docs/assets/%2e%2e/%2e%2e/package.json',
    '/API/AUTH/ok',
    '/api/authx/ok',
    '/api/orders/.',
    '/api/orders/..',
    '/api/orders/%2e%2E',
    '/api/orders/..\\health',
    '/api/blueprints/../deploy',
  ])('404 route_not_found: GET %s', async (path) => {
    expectRefusal(await ask('GET', path), 404, 'route_not_found');
  });

  test('404 route_not_found: any method but GET on the description, the docs and the start page', async () => {
    for (const path of ['/', '/openapi.json', '/docs', '/docs/init.js']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        expectRefusal(await ask(method, path), 404, 'route_not_found');
      }
    }
  });

  test('404 route_not_found: methods that tRPC lacks, and unknown procedures', async () => {
    for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await ask(method, '/trpc/system.health');
      expect({ method, status: answer.status }).toEqual({ method, status: 404 });
    }
    for (const [method, path] of [
      ['POST', '/trpc/orders.list'],
      ['GET', '/trpc/blueprints.stopAll'],
    ] as const) {
      const answer = await ask(method, path);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    }
    for (const path of ['/trpc/nope', '/trpc/system', '/trpc/system.health.x', '/trpc/__proto__']) {
      const answer = await ask('GET', path);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(answer.text).toContain('route_not_found');
    }
  });

  test('a method override in a header is ignored', async () => {
    const path = `/api/blueprints/${MISSING}`;
    for (const name of ['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method']) {
      const headers = ['Authorization', `Bearer ${account.key}`, name, 'DELETE'];
      expectRefusal(await sendRaw(world.base, { method: 'POST', path, headers }), 404, 'route_not_found');
    }
  });
});

describe('HEAD', () => {
  const gets = restRoutes
    .filter(({ method }) => method === 'GET')
    .map((route) => [titleOf(route), route] as const);

  test.each(gets)('HEAD returns the status and headers of %s, and no body', async (_title, route) => {
    const path = endingPathOf(route);
    const [head, get] = [await ask('HEAD', path), await ask('GET', path)];
    expect(head.text).toBe('');
    expect(head.status).toBe(get.status);
    const changing = ['date', 'x-request-id', 'content-length', 'etag'];
    const steady = ({ headers }: typeof head) => [...headers].filter(([name]) => !changing.includes(name));
    expect(steady(head)).toEqual(steady(get));
  });

  test('HEAD without a key is 401, and 404 where there is no GET', async () => {
    expect((await sendRaw(world.base, { method: 'HEAD', path: '/api/orders' })).status).toBe(401);
    expect((await ask('HEAD', '/api/blueprints/stop/x')).status).toBe(404);
    expect((await ask('HEAD', '/api/careers')).status).toBe(404);
  });
});

describe('the health checks', () => {
  test('/health and /api/health return ok, whatever headers the request has', async () => {
    for (const path of ['/health', '/api/health']) {
      expect(expectOk(await world.send('GET', path))).toEqual({ status: 'ok' });
      expect(expectOk(await world.send('GET', path, { headers: bearer('nonsense') }))).toEqual({
        status: 'ok',
      });
      expectRefusal(await world.send('GET', `${path}?x=1`), 400, 'validation_failed');
    }
  });

  test('/health/ready returns ready while the database responds', async () => {
    expect(expectOk(await world.send('GET', '/health/ready'))).toEqual({ status: 'ready' });
  });

  test('liveness queries neither the database nor the account of a key', async () => {
    const before = world.logged.length;
    let taken = 0;
    const count = () => taken++;
    world.pool.native.on('acquire', count);
    expectOk(await account.http('GET', '/health'));
    world.pool.native.off('acquire', count);
    expect(taken).toBe(0);
    expect(world.logged.length).toBeGreaterThan(before - 1);
  });
});

describe('the target of a request', () => {
  const ask = (target: string) =>
    sendBytes(world.base, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

  test.each(['http://[::1/x', 'http://%/x', 'ftp://x/health', 'http://a:b:c/health'])(
    '400 with our message, an id and a line in the log: GET %s',
    async (target) => {
      const answer = await ask(target);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('application/json');
      expect(answer).toContain('"code":"validation_failed"');
      const id = /x-request-id: (\S+)/i.exec(answer)?.[1] ?? 'none';
      const lines = world.logged.filter((line) => line.includes(id) && line.includes('"request"'));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ route: target, status: 400, level: 'info' });
    },
  );

  test('a whole URL is read as its path, whatever host it names', async () => {
    for (const target of [`${world.base}/health`, 'http://elsewhere.example/health', 'https://x/health']) {
      expect(await ask(target)).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await ask('http://elsewhere.example/api/orders')).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('the parser before everything', () => {
  const request = (lines: string[]) =>
    sendBytes(world.base, `${[...lines, 'Connection: close', '', ''].join('\r\n')}`);

  test.each([
    [
      'a body counted twice',
      ['POST /api/careers HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    ],
    ['two lengths', ['POST /api/careers HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Content-Length: 3']],
    ['a space before the colon', ['GET /health HTTP/1.1', 'Host : x']],
    ['no Host', ['GET /health HTTP/1.1']],
    ['nonsense', ['HELLO']],
  ])('400: %s', async (_what, lines) => {
    expect(await request(lines)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('431: 20 KB of headers', async () => {
    const answer = await request(['GET /health HTTP/1.1', 'Host: x', `X: ${'a'.repeat(20_000)}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

test('a session’s cookie alone does not change the response to an unknown path', async () => {
  const { cookie } = await world.signUp();
  const answer = await world.send('GET', '/api/nope', { headers: { cookie, origin: ORIGIN } });
  expectRefusal(answer, 404, 'route_not_found');
});

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

import { describe, expect, inject, test } from 'vitest';

const base = inject('base');
const PAGE = { accept: 'text/html,application/xhtml+xml' };

const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers });

describe('the console is served', () => {
  test('every address of a page is the console, under a policy that lets nothing out', async () => {
    for (const path of ['/', '/orders?status=pending', '/blueprints/none']) {
      const response = await get(path, PAGE);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('<div id="root">');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("connect-src 'self';");
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('a page names the files it is made of, so that a browser need not run one to learn of the next', async () => {
    const linked = async (path: string) => (await get(path, PAGE)).headers.get('link') ?? '';
    for (const path of ['/', '/orders?status=pending', '/blueprints/none', '/settings']) {
      const files = [...(await linked(path)).matchAll(/<(\/assets\/[^>]+\.js)>; rel=modulepreload/g)];
      expect(files.length, path).toBeGreaterThan(1);
      for (const [, file = ''] of files) expect((await get(file)).status, file).toBe(200);
      expect(await linked(path)).toContain('</api/auth/get-session>; rel=preload');
    }
    expect(await linked('/sign-in')).not.toContain('get-session');
    expect(await linked('/no/such/page')).toBe('</api/auth/get-session>; rel=preload; as=fetch; crossorigin');
  });

  test('unknown routes of the API stay JSON, also for a browser; programs never get a page', async () => {
    for (const path of ['/api/nothing', '/trpc/nothing', '/health/nothing', '/assets/nothing.js']) {
      const response = await get(path, PAGE);
      expect(response.status, path).toBe(404);
      expect(response.headers.get('content-type'), path).toContain('application/json');
    }
    expect((await get('/orders', { accept: 'application/json' })).status).toBe(404);
    expect((await fetch(`${base}/orders`, { method: 'POST', headers: PAGE })).status).toBe(404);
  });

  test('files come compressed as the reader takes them, for ever under their name, and unchanged ones not again', async () => {
    const page = await (await get('/', PAGE)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    if (!script) throw new Error('The page names no script.');
    for (const [accepted, answered] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await get(script, { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe(answered);
      expect(response.headers.get('cache-control')).toContain('immutable');
      expect(await response.text()).toContain('function');
    }
    const playground = await get('/docs/assets/standalone.esm.js', { 'accept-encoding': 'br' });
    expect(playground.headers.get('content-encoding')).toBe('br');
    const described = await get('/openapi.json', { 'accept-encoding': 'gzip' });
    expect(described.headers.get('content-encoding')).toBe('gzip');
    expect(await described.json()).toMatchObject({ openapi: '3.1.0' });
    const etag = (await get('/', PAGE)).headers.get('etag') ?? '';
    // Without the last header, fetch asks for the whole page.
    const again = { ...PAGE, 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await get('/', again)).status).toBe(304);
  });
});

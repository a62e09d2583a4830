import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS, withLimits } from '../../docs/write-limits.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';
import { bearer, expectOk, expectRefusal, sendRaw } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { closeAll, openSocket, type RawSocket, requestLine, statusFrom } from '../support/sockets.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

const { heavyReadsPerAccount, heavyReadsPerRequest, streamsPerAccount } = CAPACITY;

const world = openedForFile(openWorld);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

describe('large answers of one account', () => {
  let account: Account;

  /** The maximum an account may store: more than the system buffers for a client that does not read. */
  beforeAll(async () => {
    account = await world.account();
    const visual = { text: 'x'.repeat(250 * 1024) };
    for (let index = 0; index < 62; index++) {
      expectOk(await account.http('POST', '/api/blueprints', { name: `${index}`, visual }));
    }
  });

  const unread = () =>
    openSocket(world.base, {
      send: requestLine('/api/blueprints', `Authorization: Bearer ${account.key}`),
      unread: true,
    });

  test(`${heavyReadsPerAccount} unread answers are under way, further ones 429, and stop-all works`, {
    tags: ['long'],
  }, async () => {
    const held = await Promise.all(Array.from({ length: heavyReadsPerAccount }, unread));
    await sleep(500);
    const [late, stopped, small, other] = await Promise.all([
      account.http('GET', '/api/blueprints'),
      account.http('POST', '/api/blueprints/stop'),
      account.http('GET', '/api/portfolio'),
      (await world.account()).http('GET', '/api/blueprints'),
    ]);
    expectRefusal(late, 429, 'rate_limited');
    for (const answer of [stopped, small, other]) expectOk(answer);
    closeAll(held);
    expectOk(await account.http('GET', '/api/blueprints'));
  });

  test('a client that reads waits a moment for its slot, and none is refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: heavyReadsPerAccount * 3 }, () =>
        account.http('GET', '/api/portfolio/history?range=all'),
      ),
    );
    for (const answer of answers) expectOk(answer);
  });

  test.each([
    ['blueprints.list', { limit: 1 }],
    ['console.curve', { blueprintId: null, range: 'all' }],
  ])(`a batch may use ${heavyReadsPerRequest} of them: %s`, async (procedure, of) => {
    const calls = heavyReadsPerRequest + 1;
    const input = JSON.stringify(Object.fromEntries(Array.from({ length: calls }, (_, at) => [at, of])));
    const path = `/trpc/${Array(calls).fill(procedure).join(',')}?batch=1&input=${encodeURIComponent(input)}`;
    const { body } = await world.send('GET', path, { headers: bearer(account.key) });
    const codes = (body as { error?: { data: { error: { code: string } } } }[]).map(
      ({ error }) => error?.data.error.code ?? 'ok',
    );
    expect(codes.toSorted()).toEqual([...Array(heavyReadsPerRequest).fill('ok'), 'rate_limited']);
  });
});

describe('event streams of one account', () => {
  const streamOf = (cookie: string) =>
    openSocket(world.base, {
      send: requestLine(
        `/trpc/events?input=${encodeURIComponent('{}')}`,
        `Cookie: ${cookie}`,
        'Accept: text/event-stream',
      ),
    });
  const isOpen = (stream: RawSocket) => stream.received.includes('event: connected') && !stream.isClosed();

  test(`${streamsPerAccount} at once; the next gets 429, and is admitted once one is closed`, async () => {
    const { cookie } = await world.signUp();
    const streams = await Promise.all(Array.from({ length: streamsPerAccount }, () => streamOf(cookie)));
    await until(() => streams.every(isOpen));
    const refused = await streamOf(cookie);
    await until(() => refused.received.endsWith('\r\n0\r\n\r\n'));
    expect(refused.received).toContain('event: serialized-error');
    expect(refused.received).toContain('"httpStatus":429');
    expect(refused.received).toContain('"code":"rate_limited"');
    closeAll(streams.slice(0, 1));
    await until(() => streams[0]?.isClosed() === true);
    await sleep(200);
    const next = await streamOf(cookie);
    await until(() => isOpen(next));
    closeAll([...streams, refused, next]);
  });

  test('all of a session end once it has ended', async () => {
    const { cookie } = await world.signUp();
    const streams = await Promise.all([streamOf(cookie), streamOf(cookie)]);
    await until(() => streams.every(isOpen));
    const signedOut = await world.send('POST', '/api/auth/sign-out', {
      headers: { cookie, origin: ORIGIN },
      body: {},
    });
    expectOk(signedOut);
    await until(() => streams.every(({ received }) => received.endsWith('\r\n0\r\n\r\n')));
    for (const { received } of streams) expect(received).toContain('"code":"credentials_invalid"');
    closeAll(streams);
  });
});

describe('anonymous requests from one address', () => {
  test('past 30 a second and a burst, 429; probes, valid keys and other addresses are served', {
    tags: ['long'],
  }, async () => {
    const limited = await openWorld({ settings: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' } });
    const account = await limited.account();
    for (const path of [
      '/api/orders',
      '/trpc/orders.list',
      '/trpc/console.entrance',
      '/api/auth/get-session',
    ]) {
      const from = { 'x-forwarded-for': `198.51.100.${path.length}` };
      const answers = await Promise.all(
        Array.from({ length: 260 }, () => limited.send('GET', path, { headers: from })),
      );
      const statuses = Map.groupBy(answers, ({ status }) => status);
      expect({ path, refused: statuses.get(429)?.length ?? 0 }).toEqual({
        path,
        refused: expect.any(Number),
      });
      expect(statuses.get(429)?.length, path).toBeGreaterThan(10);
      expect(statuses.get(429)?.[0]?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect((await limited.send('GET', '/health', { headers: from })).status).toBe(200);
      expect((await limited.send('GET', '/health/ready', { headers: from })).status).toBe(200);
      expect((await account.http('GET', '/api/orders', undefined, from)).status).toBe(200);
      const elsewhere = { 'x-forwarded-for': '203.0.113.5' };
      expect((await limited.send('GET', path, { headers: elsewhere })).status).not.toBe(429);
    }
    await limited.close();
  });
});

describe('answers decided before a body is read', () => {
  test.each([
    ['/trpc/orders.approve', 401],
    ['/trpc/nope', 404],
    ['/trpc/orders.approve,blueprints.stopAll?batch=1', 401],
    ['/api/orders/019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01/approve', 401],
    ['/api/auth/nope', 404],
    ['/api/auth/sign-up', 404],
  ])('POST %s answers %i without credentials, though the body never comes', async (path, status) => {
    const send = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Content-Type: application/json',
      'Content-Length: 200000',
      '',
      '',
    ];
    const opened = await openSocket(world.base, { send: send.join('\r\n') });
    await until(() => opened.received.includes('\r\n\r\n'));
    expect(opened.received.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    closeAll([opened]);
  });
});

describe('the routes of sign-in', () => {
  const trouble = () => world.logged.filter((line) => /"level":"(error|warn)"/.test(line));

  test('404: methods they do not have; a body on a GET is ignored', async () => {
    const before = trouble().length;
    for (const method of ['TRACE', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const answer = await sendRaw(world.base, { method, path: '/api/auth/get-session' });
      expect({ method, status: answer.status }).toEqual({ method, status: 404 });
    }
    const headers = ['Content-Type', 'application/json'];
    const get = { method: 'GET', path: '/api/auth/get-session', headers, body: '{"a":1}' };
    expect((await sendRaw(world.base, get)).status).toBe(200);
    expect(trouble().slice(before)).toEqual([]);
  });

  test('400: NUL or broken encoding in a path or query, and in any part of a body', async () => {
    const before = trouble().length;
    for (const path of [
      '/api/auth/callback/github?state=a%00b&code=x',
      '/api/auth/reset-password/%00?callbackURL=x',
      '/api/auth/verify-email?token=%E0%A4%A',
    ]) {
      expectRefusal(await world.send('GET', path), 400, 'validation_failed');
    }
    for (const idToken of [{ token: 'a\u0000' }, { token: { deep: ['\ud800'] } }]) {
      const body = { provider: 'github', idToken };
      const answer = await world.send('POST', '/api/auth/sign-in/social', {
        headers: { origin: ORIGIN },
        body,
      });
      expectRefusal(answer, 400, 'validation_failed');
    }
    expect(trouble().slice(before)).toEqual([]);
  });

  test('a caller’s malformed request is not logged as an error', async () => {
    const before = trouble().length;
    const body = {
      email: 'a@example.com',
      password: 'correct horse battery',
      callbackURL: 'https://evil.example/x',
    };
    for (const origin of ['https://evil.example', ORIGIN]) {
      await world.send('POST', '/api/auth/sign-in/email', { headers: { origin }, body });
    }
    await world.send('GET', '/api/auth/callback/github?state=nope&code=x');
    await world.send('GET', '/api/auth/callback/nope?state=nope');
    expect(trouble().slice(before)).toEqual([]);
    expect(await statusFrom(world.base, '/health')).toBe(200);
  });
});

test('the document of limits states the limits of the code', () => {
  const document = readFileSync(LIMITS, 'utf8');
  expect(withLimits(document), 'node docs/write-limits.ts').toBe(document);
});

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { createKey } from '../../engine/trading/keys/create.ts';
import { newToken } from '../../engine/trading/keys/token.ts';
import { TIMEOUTS } from '../../server/kernel/capacity.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { messagesOf, nextAnswer, openWebSocket } from '../support/web-sockets.ts';
import { type Account, type Answer, ORIGIN, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

/** Small enough to reach, long enough not to restart while a test runs. */
const LIMITS = {
  read: { points: 6, windowSec: 600 },
  write: { points: 4, windowSec: 600 },
  market_data: { points: 3, windowSec: 600 },
  brake: { points: 8, windowSec: 600 },
  auth_failures: { points: 10, windowSec: 600 },
  sign_up: { points: 1_000, windowSec: 600 },
  form: { points: 3, windowSec: 600 },
};

const world = openedForFile(() => openWorld({ settings: { RATE_LIMITS: JSON.stringify(LIMITS) } }));

async function secondKey({ work }: Account): Promise<string> {
  const { key } = await createKey(work, {
    name: 'Second',
    scopes: ['risk:read', 'blueprints:write', 'market_data:read'],
    createdBy: null,
  });
  return key;
}

async function times(count: number, call: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let done = 0; done < count; done++) statuses.push((await call()).status);
  return statuses;
}

/** Stops process time, by which a refusal is remembered for a fifth of a second: on a busy machine a call takes longer. */
function rememberRefusals(): Disposable {
  const atMs = performance.now();
  return vi.spyOn(performance, 'now').mockReturnValue(atMs);
}

const rules = (key: string) => world.send('GET', '/api/risk-rules', { headers: bearer(key) });

describe('a limit', () => {
  test('every response states policy and rest of the key and of the account', async () => {
    const { key } = await world.account();
    const first = await rules(key);
    expectOk(first);
    expect(first.headers.get('ratelimit-policy')).toBe('"read";q=6;w=600, "account";q=12;w=600');
    expect(first.headers.get('ratelimit')).toMatch(/^"read";r=5;t=\d+, "account";r=11;t=\d+$/);
    expect(first.headers.get('retry-after')).toBeNull();
    expect((await rules(key)).headers.get('ratelimit')).toMatch(/^"read";r=4;/);
  });

  test('refusals of any kind state it too', async () => {
    const account = await world.account('risk:read');
    const forbidden = await account.http('GET', '/api/orders');
    expectRefusal(forbidden, 403);
    expect(forbidden.headers.get('ratelimit')).toMatch(/^"read";r=5/);
    const invalid = await account.http('GET', '/api/risk-rules?x=1');
    expectRefusal(invalid, 400);
    expect(invalid.headers.get('ratelimit')).toMatch(/^"read";r=4/);
  });

  test('429: beyond it, with the wait in words, in Retry-After and in RateLimit', async () => {
    const { key } = await world.account();
    expect(await times(6, () => rules(key))).toEqual(Array(6).fill(200));
    const refused = await rules(key);
    const { message } = expectRefusal(refused, 429, 'rate_limited');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    expect(message).toBe(`Too many requests (read): at most 6 in 600 s. Wait ${seconds} s.`);
    expect(refused.headers.get('ratelimit')).toBe(`"read";r=0;t=${seconds}`);
  });

  test('a request by message counts too, and its answer states the rest', async () => {
    const { key } = await world.account();
    const socket = openWebSocket(world.base, '/api/events', bearer(key));
    await once(socket, 'open');
    const next = messagesOf(socket);
    const statuses: number[] = [];
    for (let left = 4; left >= -1; left--) {
      socket.send(JSON.stringify({ id: 'x', method: 'GET', path: '/api/risk-rules' }));
      const { status, headers } = await nextAnswer(next);
      statuses.push(status);
      const rest = headers['RateLimit'] ?? '';
      expect(rest).toMatch(left < 0 ? /^"read";r=0;/ : `"read";r=${left};`);
      if (left < 0) expect(headers['Retry-After']).toBe(/t=(\d+)/.exec(rest)?.[1]);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    socket.close();
  });

  test('429 comes after 401 and before errors of scope, body and id', async () => {
    const { key } = await world.account('risk:read');
    await times(6, () => rules(key));
    expectRefusal(await world.send('GET', '/api/orders?x=%', { headers: bearer(key) }), 429);
    expectRefusal(await world.send('GET', '/api/blueprints/x', { headers: bearer(key) }), 429);
    expectRefusal(await world.send('GET', '/api/blueprints/x'), 401);
  });

  test('reads, writes and market data are counted separately', async () => {
    const account = await world.account();
    await times(7, () => account.http('GET', '/api/risk-rules'));
    expect(await times(5, () => account.http('POST', '/api/blueprints', { name: 'x' }))).toEqual([
      200, 200, 200, 200, 429,
    ]);
    const market = await times(4, () => account.http('GET', '/api/crypto?type=symbols&limit=1'));
    expect(market).toEqual([200, 200, 200, 429]);
  });

  test('a caller that continues beyond it is refused late, and delays no other', async () => {
    const [one, other] = [await world.account(), await world.account()];
    using _stopped = rememberRefusals();
    await times(7, () => rules(one.key));
    for (let sent = 0; sent < 4; sent++) {
      const sentAt = process.hrtime.bigint();
      const refused = rules(one.key).then((answer) => ({
        answer,
        waitedMs: Number(process.hrtime.bigint() - sentAt) / 1e6,
      }));
      expectOk(await other.http('POST', '/api/blueprints/stop', {}));
      const { answer, waitedMs } = await refused;
      expectRefusal(answer, 429, 'rate_limited');
      // A timer may end up to a millisecond early.
      expect(waitedMs).toBeGreaterThan(TIMEOUTS.lateRefusalMs / 2 - 1);
    }
  });

  test('a request refused to a key is not counted against its account', async () => {
    const account = await world.account();
    await times(30, () => rules(account.key));
    const second = await secondKey(account);
    expect(await times(6, () => rules(second))).toEqual(Array(6).fill(200));
  });

  test('each call of a tRPC batch is counted', async () => {
    const account = await world.account();
    const paths = Array(8).fill('riskRules.read').join(',');
    const input = encodeURIComponent(JSON.stringify(Object.fromEntries(Array(8).fill({}).entries())));
    const { body } = await account.http('GET', `/trpc/${paths}?batch=1&input=${input}`);
    const refused = (body as { error?: unknown }[]).filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(2);
  });

  test('sessions are counted as keys are', async () => {
    const { cookie } = await world.signUp();
    const read = () => world.send('GET', '/api/risk-rules', { headers: { cookie } });
    expect(await times(7, read)).toEqual([...Array(6).fill(200), 429]);
  });
});

describe('the limit of emergency requests', () => {
  const brakes: [string, string, unknown?][] = [
    ['POST', `/api/blueprints/${MISSING}/stop`],
    ['POST', '/api/blueprints/stop'],
    ['POST', `/api/orders/${MISSING}/reject`],
    ['POST', `/api/orders/${MISSING}/cancel`],
    ['POST', '/api/portfolio/positions/close', { tokenId: 'BTCUSDT', amount: 1 }],
    ['DELETE', `/api/api-keys/${MISSING}`],
    ['PUT', '/api/risk-rules', {}],
  ];

  test('stop, reject, cancel, close, revoke and risk rules pass when all other limits of the account are spent', async () => {
    const account = await world.account();
    const spent = [account.key, await secondKey(account), await secondKey(account)];
    for (const key of spent) {
      await times(8, () => rules(key));
      await times(6, () =>
        world.send('POST', '/api/blueprints', { headers: bearer(key), body: { name: 'x' } }),
      );
    }
    expectRefusal(await account.http('GET', '/api/orders'), 429);
    for (const [method, path, body] of brakes) {
      const answer = await account.http(method, path, body);
      expect({ path, status: answer.status }).not.toEqual({ path, status: 429 });
      expect(answer.headers.get('ratelimit-policy')).toBe('"brake";q=8;w=600');
    }
  });

  test('429: emergency requests have a limit of their own, which takes nothing from the others', async () => {
    const account = await world.account();
    const statuses = await times(9, () => account.http('POST', '/api/blueprints/stop'));
    expect(statuses).toEqual([...Array(8).fill(200), 429]);
    expectOk(await account.http('GET', '/api/risk-rules'));
    expectOk(await account.http('POST', '/api/blueprints', { name: 'x' }));
  });
});

describe('failing credentials', () => {
  test('429: too many from one address, while a valid key is served as before', async () => {
    await using limited = await openWorld({ settings: { RATE_LIMITS: JSON.stringify(LIMITS) } });
    const { key } = await limited.account();
    const bad = (headers: Record<string, string> = {}) =>
      limited.send('GET', '/api/risk-rules', { headers: { ...bearer(newToken()), ...headers } });
    expect(await times(10, bad)).toEqual(Array(10).fill(401));
    const refused = await bad();
    expectRefusal(refused, 429, 'too_many_auth_failures');
    for (const header of [
      'x-forwarded-for',
      'x-real-ip',
      'x-internal-client-ip',
      'forwarded',
      'cf-connecting-ip',
    ]) {
      expectRefusal(await bad({ [header]: '203.0.113.7' }), 429, 'too_many_auth_failures');
    }
    expectOk(await limited.send('GET', '/api/risk-rules', { headers: bearer(key) }));
    expectRefusal(await limited.send('GET', '/api/risk-rules'), 401, 'credentials_missing');
    expectOk(await limited.send('GET', '/health'));
  });
});

describe('behind a proxy', () => {
  const wrongKeys = async (trusted: string, forwardedFor: (n: number) => string) => {
    await using behind = await openWorld({
      settings: { RATE_LIMITS: JSON.stringify(LIMITS), TRUSTED_PROXIES: trusted },
    });
    let sent = 0;
    return await times(12, () => {
      const headers = { ...bearer(newToken()), 'x-forwarded-for': forwardedFor(++sent) };
      return behind.send('GET', '/api/risk-rules', { headers });
    });
  };
  const REFUSED_LATE = [...Array(10).fill(401), 429, 429];

  test('clients that a trusted proxy names are counted separately', async () => {
    expect(await wrongKeys('loopback', (n) => `203.0.113.${n}`)).toEqual(Array(12).fill(401));
  });

  test('429: one client of a trusted proxy, whatever route it claims', async () => {
    expect(await wrongKeys('loopback', (n) => `198.51.100.${n}, 203.0.113.7`)).toEqual(REFUSED_LATE);
  });

  test('429: text that is no address does not count as one', async () => {
    expect(await wrongKeys('loopback', (n) => `somebody-${n}`)).toEqual(REFUSED_LATE);
  });

  test('429: a proxy that is not trusted is the client', async () => {
    expect(await wrongKeys('203.0.113.9', (n) => `198.51.100.${n}`)).toEqual(REFUSED_LATE);
  });
});

/** Sends only the head of a request and returns the status: a service that waits for the body never responds. */
function statusOfHead(
  base: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const said = { 'content-type': 'application/json', 'content-length': '200000', ...headers };
    const request = httpRequest(new URL(path, base), { method: 'POST', headers: said });
    request.once('error', reject);
    request.once('response', ({ statusCode }) => {
      resolve(statusCode);
      request.destroy();
    });
    request.flushHeaders();
  });
}

describe('a limit is checked before the first byte of a body is read', () => {
  test.each([
    '/api/blueprints',
    '/trpc/blueprints.create',
    '/trpc/blueprints.create,blueprints.create?batch=1',
  ])('429: %s of a key past its limit', async (path) => {
    const { key, http } = await world.account();
    await times(5, () => http('POST', '/api/blueprints', { name: 'x' }));
    expect(await statusOfHead(world.base, path, bearer(key))).toBe(429);
  });

  test.each(['/api/careers', '/trpc/careers.send'])('429: %s of an address past its forms', async (path) => {
    const form = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
    await using limited = await openWorld({ settings: { RATE_LIMITS: JSON.stringify(LIMITS) } });
    const statuses = await times(4, () => limited.send('POST', path, { body: form }));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await statusOfHead(limited.base, path)).toBe(429);
  });

  test.each(['/api/careers', '/trpc/careers.send'])(
    '429: %s of an address past its anonymous requests, over both transports',
    async (path) => {
      const settings = {
        RATE_LIMITS: JSON.stringify({ ...LIMITS, anonymous: { points: 3, windowSec: 600 } }),
      };
      await using limited = await openWorld({ settings });
      const wrong = () => limited.send('POST', path, { body: { name: '' } });
      expect(await times(5, wrong)).toEqual([400, 400, 400, 429, 429]);
    },
  );

  test('400: a form of more than 16 KB, which is not counted', async () => {
    await using limited = await openWorld({ settings: { RATE_LIMITS: JSON.stringify(LIMITS) } });
    const large = { name: 'Ada', email: 'ada@example.com', message: 'x'.repeat(17_000) };
    for (const path of ['/api/careers', '/trpc/careers.send'])
      expect(await times(3, () => limited.send('POST', path, { body: large }))).toEqual([400, 400, 400]);
    const form = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
    expect((await limited.send('POST', '/api/careers', { body: form })).status).toBe(200);
  });
});

describe('the careers form', () => {
  test('429: a few per address, and an invalid form is not counted', async () => {
    const form = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
    const post = (body: object) => world.send('POST', '/api/careers', { body });
    expect(await times(4, () => post({ ...form, email: 'no address' }))).toEqual(Array(4).fill(400));
    expect(await times(4, () => post(form))).toEqual([200, 200, 200, 429]);
    expectRefusal(await post(form), 429, 'rate_limited');
  });
});

test('RATE_LIMITS=off counts nothing and promises nothing', async () => {
  await using free = await openWorld();
  const { key } = await free.account();
  for (let sent = 0; sent < 60; sent++) {
    const answer = await free.send('GET', '/api/risk-rules', { headers: bearer(key) });
    expectOk(answer);
    expect(answer.headers.get('ratelimit')).toBeNull();
  }
});

test.each([
  ['of a key', async () => ({ authorization: `Bearer ${(await world.account()).key}` }), '/api/risk-rules'],
  ['of a session', async () => ({ cookie: (await world.signUp()).cookie }), '/api/risk-rules'],
  ['of a console', async () => ({ cookie: (await world.signUp()).cookie }), '/trpc/riskRules.read'],
] as const)(
  'a flood of refused calls %s is refused without a statement for each, and its brake is heard',
  async (_whose, credentials, path) => {
    const headers: Record<string, string> = { origin: ORIGIN, ...(await credentials()) };
    const call = () => world.send('GET', path, { headers });
    using _stopped = rememberRefusals();
    await times(LIMITS.read.points + 1, call);
    let statements = 0;
    const count = () => statements++;
    world.pool.native.on('acquire', count);
    const answers = await Promise.all(Array.from({ length: 100 }, call));
    world.pool.native.off('acquire', count);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    expect(statements).toBeLessThan(50);
    expectOk(await world.send('POST', '/api/blueprints/stop', { headers, body: {} }));
  },
);

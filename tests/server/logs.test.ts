import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { authLog } from '../../server/identity/auth-log.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { bearer, expectOk, expectRefusal, sendRaw } from '../support/api.ts';
import { expectBoundedGrowth } from '../support/growth.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

type Line = Record<string, unknown> & { level: string; msg: string; requestId: string };

const world = openedForFile(openWorld);
let account: Account;

beforeAll(async () => {
  account = await world.account();
});

/** The log lines of one request, once it has ended. */
async function linesOf(requestId: string): Promise<Line[]> {
  for (let tried = 0; tried < 300; tried++) {
    const lines = world.logged
      .map((text) => JSON.parse(text) as Line)
      .filter((line) => line.requestId === requestId);
    if (lines.some(({ msg }) => msg === 'request')) return lines;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Nothing was logged of ${requestId}.`);
}

const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id') ?? '';

describe('one line per request', () => {
  test('it names the caller, the request, its result and duration, and nothing else', async () => {
    const answer = await account.http('GET', '/api/orders?limit=5');
    const [line, ...rest] = await linesOf(idOf(answer));
    expect(rest).toEqual([]);
    expect(Object.keys(line ?? {}).sort()).toEqual(
      ['accountId', 'by', 'level', 'method', 'ms', 'msg', 'requestId', 'route', 'status', 'time'].sort(),
    );
    expect(line).toMatchObject({
      level: 'info',
      method: 'GET',
      route: '/api/orders',
      status: 200,
      accountId: account.accountId,
      by: account.key.slice(0, 8),
      ms: expect.any(Number),
    });
  });

  test('a session is named as one, a caller without credentials not at all', async () => {
    const { cookie } = await world.signUp();
    const [mine] = await linesOf(idOf(await world.send('GET', '/api/orders', { headers: { cookie } })));
    expect(mine).toMatchObject({ by: 'session', accountId: expect.any(String) });
    const [nobodys] = await linesOf(idOf(await world.send('GET', '/api/orders')));
    expect(nobodys).not.toHaveProperty('accountId');
    expect(nobodys).toMatchObject({ status: 401 });
  });

  test('HEAD is logged as HEAD, an unknown path as it was requested', async () => {
    const head = await sendRaw(world.base, { method: 'HEAD', path: '/health' });
    expect((await linesOf(idOf(head)))[0]).toMatchObject({ method: 'HEAD', route: '/health' });
    const missing = await world.send('GET', '/nope/%0Aforged%20line');
    expect((await linesOf(idOf(missing)))[0]).toMatchObject({ route: '/nope/%0Aforged%20line', status: 404 });
  });

  test('a very long path does not make a very long line', async () => {
    const answer = await world.send('GET', `/${'x'.repeat(5_000)}`);
    expect(String((await linesOf(idOf(answer)))[0]?.['route']).length).toBeLessThanOrEqual(200);
  });
});

describe('data that is never logged', () => {
  test('keys, cookies, passwords, addresses and bodies, whether a request succeeds or fails', async () => {
    const secret = `secret-${randomUUID()}`;
    const email = `${secret}@example.com`;
    const password = `password ${secret}`;
    const sign = (path: string, body: object) =>
      world.send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN }, body });
    const signedUp = await sign('sign-up/email', { email, password, name: secret });
    const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await sign('sign-in/email', { email, password });
    await sign('sign-in/email', { email, password: `wrong ${secret}` });
    await sign('sign-up/email', { email, password, name: secret });
    await sign('sign-in/email', { email, password, callbackURL: `https://evil.example/${secret}` });
    const session = { cookie, origin: ORIGIN };
    const created = await world.send('POST', '/api/api-keys', {
      headers: session,
      body: { name: 'x', scopes: ['orders:read'] },
    });
    const { key } = expectOk(created) as { key: string };
    await world.send('GET', `/api/orders?key=${key}&x=${secret}`, { headers: bearer(key) });
    await world.send('GET', '/api/orders', { headers: bearer(`${key}x`) });
    await world.send('POST', '/api/blueprints', {
      headers: session,
      body: { name: secret, visual: { secret } },
    });
    await world.send('POST', '/api/blueprints', { headers: session, body: { [secret]: secret } });
    await world.send('POST', '/api/careers', { body: { name: secret, email, message: secret } });
    await world.send('POST', '/trpc/blueprints.create', { headers: session, body: { name: secret } });
    const last = await world.send('GET', '/health', {
      headers: { 'user-agent': `${secret}\t\\n`, referer: secret },
    });
    await linesOf(idOf(last));

    const everything = world.logged.join('');
    const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
    for (const hidden of [secret, email, password, key, key.slice(8, -4), cookie, token]) {
      expect(hidden.length).toBeGreaterThan(10);
      expect(everything).not.toContain(hidden);
    }
    expect(everything).not.toMatch(/authorization|bearer|set-cookie/i);
  });
});

/** A sign-in whose answer would lead to an address of the caller's choice; the framework logs the address. */
const leadTo = (text: string, headers: Record<string, string> = {}) =>
  world.send('POST', '/api/auth/sign-in/social', {
    headers: { origin: ORIGIN, ...headers },
    body: { provider: 'github', callbackURL: text },
  });

describe("the sign-in framework's messages", () => {
  test('are logged without the address they quote, however long it is', async () => {
    const before = world.logged.length;
    await leadTo(`elsewhere${'a'.repeat(7_000)}`);
    await leadTo('javascript:elsewhere');
    await leadTo('/', { cookie: 'a=b', origin: 'https://elsewhere.example' });
    const lines = world.logged.slice(before).filter((line) => line.includes('"from":"auth"'));
    expect(lines.map((line) => (JSON.parse(line) as Line).msg)).toEqual([
      'Invalid callbackURL',
      'Invalid callbackURL',
      'Invalid origin',
    ]);
    expect(lines.join('')).not.toContain('elsewhere');
  });

  test('cost the same if the address is twice as long', async () => {
    const report = authLog(openLogger('silent', 'stdout'));
    await expectBoundedGrowth('a message', 20_000, (size) =>
      report('error', `Invalid callbackURL: ${'a'.repeat(size)}`),
    );
  });
});

describe('an unexpected error', () => {
  test('500: the answer is one fixed sentence, the log has the stack, and neither has the request’s data', async () => {
    await using broken = await openWorld();
    await sql`alter table careers_application rename to elsewhere`.execute(broken.db);
    const secret = `secret-${randomUUID()}`;
    const form = { name: secret, email: `${secret}@example.com`, message: secret };
    const answer = await broken.send('POST', '/api/careers', { body: form });
    const { message } = expectRefusal(answer, 500, 'internal');
    expect(message).toBe('Unexpected server error.');
    expect(answer.text).not.toMatch(/careers_application|insert|relation|at .*\.ts/i);
    const line = broken.logged
      .map((text) => JSON.parse(text) as Line)
      .find(({ level, requestId }) => level === 'error' && requestId === idOf(answer));
    expect(line).toMatchObject({ path: '/api/careers', code: 'internal' });
    expect(String(line?.['error'])).toMatch(/careers_application.*does not exist\n +at /);
    expect(broken.logged.join('')).not.toContain(secret);
  });

  test('500: over tRPC too', async () => {
    await using broken = await openWorld();
    await sql`alter table api_key rename column last4 to elsewhere`.execute(broken.db);
    const { cookie } = await broken.signUp();
    const answer = await broken.send('GET', '/trpc/apiKeys.list?input=%7B%7D', { headers: { cookie } });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('Unexpected server error.');
    expect(answer.text).not.toMatch(/last4|select|column|stack/i);
  });
});

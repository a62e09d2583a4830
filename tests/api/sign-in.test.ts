import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../server/identity/users/users.ts';
import { DEFAULT_LIMITS } from '../../server/kernel/rate-limits.ts';
import { sendRaw } from '../support/api.ts';
import { type Answer, openWorld, type World } from '../support/world.ts';

const PAGE = 'https://console.test';
const PASSWORD = 'correct horse battery';
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://the.world/decides',
  AUTH_SECRET: 'qT3vXn8Zk1pLw5RyUe7Ha2Sd9Fg4Jc6B',
  PUBLIC_URL: PAGE,
  MARKET_DATA: 'simulator',
  RATE_LIMITS: 'on',
};

type From = { from?: string; headers?: string[] };

/** Posts from an address of this machine, with given headers. */
function posts(world: World) {
  return (path: string, body: unknown, { from = '127.0.0.1', headers = [] }: From = {}): Promise<Answer> =>
    sendRaw(world.base, {
      method: 'POST',
      path: `/api/auth/${path}`,
      headers: ['Origin', PAGE, 'Content-Type', 'application/json', ...headers],
      body: JSON.stringify(body),
      localAddress: from,
    });
}

const cookiesOf = ({ headers }: Answer): string[] =>
  headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

async function userOf(world: World): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await createUser(world.service.auth, { email, name: 'Ada', password: PASSWORD });
  return email;
}

async function times<Result>(count: number, call: (n: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let done = 0; done < count; done++) results.push(await call(done));
  return results;
}

describe.each([
  ['in production', PRODUCTION],
  ['in production, with a proxy elsewhere', { ...PRODUCTION, TRUSTED_PROXIES: '203.0.113.9' }],
  ['in development', { RATE_LIMITS: 'on', PUBLIC_URL: PAGE }],
])('the address of who signs in, %s', (_where, settings) => {
  let world: World;
  let post: ReturnType<typeof posts>;
  beforeAll(async () => {
    world = await openWorld({ settings });
    post = posts(world);
  });
  afterAll(() => world.close());

  const wrong = (from: string, headers: string[] = []) =>
    post('sign-in/email', { email: `${randomUUID()}@example.com`, password: 'wrong' }, { from, headers });

  test('429: ten failures of one address do not stop sign-ins from another', async () => {
    const email = await userOf(world);
    const failed = await times(12, () => wrong('127.0.0.66'));
    expect(failed.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429]);
    const answer = await post('sign-in/email', { email, password: PASSWORD });
    expect(answer.status, answer.text).toBe(200);
  });

  test('429: no header changes its address', async () => {
    const claims = ['X-Internal-Client-IP', 'X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP'];
    const failed = await times(12, (n) =>
      wrong(
        '127.0.0.67',
        claims.flatMap((name) => [name, `203.0.113.${n}`]),
      ),
    );
    expect(failed.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('a session stores its real address, not a claimed one', async () => {
    const email = await userOf(world);
    const headers = ['X-Internal-Client-IP', '203.0.113.9'];
    const answer = await post(
      'sign-in/email',
      { email, password: PASSWORD },
      { from: '127.0.0.68', headers },
    );
    expect(answer.status, answer.text).toBe(200);
    const { rows } = await sql<{ ipAddress: string }>`
      select s."ipAddress" from auth.session s join auth."user" u on u.id = s."userId" where u.email = ${email}
    `.execute(world.db);
    expect(rows).toEqual([{ ipAddress: '127.0.0.68' }]);
  });
});

describe('behind a trusted proxy', () => {
  test('each client it names is an address of its own, by IPv6 network too', { tags: ['long'] }, async () => {
    await using proxied = await opened({ ...PRODUCTION, TRUSTED_PROXIES: 'loopback' });
    const post = posts(proxied.world);
    const wrong = (client: string) =>
      post(
        'sign-in/email',
        { email: `${randomUUID()}@example.com`, password: 'wrong' },
        { headers: ['X-Forwarded-For', client] },
      );
    const statuses = async (clientOf: (n: number) => string) =>
      (await times(11, (n) => wrong(clientOf(n)))).map(({ status }) => status);
    expect(await statuses((n) => `198.51.100.${n}`)).toEqual(Array(11).fill(401));
    expect(await statuses(() => '203.0.113.7')).toEqual([...Array(10).fill(401), 429]);
    expect(await statuses((n) => `2001:db8:1:2::${n}`)).toEqual([...Array(10).fill(401), 429]);
    const email = await userOf(proxied.world);
    const answer = await post(
      'sign-in/email',
      { email, password: PASSWORD },
      { headers: ['X-Forwarded-For', '2001:db8:1:3::9'] },
    );
    expect(answer.status).toBe(200);
    const { rows } = await sql<{ ipAddress: string }>`
      select s."ipAddress" from auth.session s join auth."user" u on u.id = s."userId" where u.email = ${email}
    `.execute(proxied.world.db);
    expect(rows[0]?.ipAddress).toMatch(/^2001:0?db8:0*1:0*3:/);
  });
});

describe('no client locks out another person from elsewhere', () => {
  let world: World;
  let post: ReturnType<typeof posts>;
  beforeAll(async () => {
    world = await openWorld({ settings: PRODUCTION });
    post = posts(world);
  });
  afterAll(() => world.close());

  const failures = async (email: string, from: string, count: number, headers: string[] = []) =>
    (await times(count, () => post('sign-in/email', { email, password: 'wrong' }, { from, headers }))).map(
      ({ status }) => status,
    );

  test('429: five failures for one e-mail from one address; from another the password still opens', async () => {
    const email = await userOf(world);
    expect(await failures(email.toUpperCase(), '127.0.1.1', 6)).toEqual([...Array(5).fill(401), 429]);
    const signIn = (as: string) =>
      post('sign-in/email', { email: as, password: PASSWORD }, { from: '127.0.1.1' });
    expect((await signIn(` ${email}`)).status).toBe(429);
    // Successful sign-ins of others are not counted.
    const neighbor = await userOf(world);
    for (let count = 0; count < 8; count++) expect((await signIn(neighbor)).status).toBe(200);
    const elsewhere = await post('sign-in/email', { email, password: PASSWORD }, { from: '127.0.1.2' });
    expect(elsewhere.status, elsewhere.text).toBe(200);
  });

  test('429: fifty failures for one e-mail from ten addresses; a browser that signed in before still can', async () => {
    const email = await userOf(world);
    const first = await post('sign-in/email', { email, password: PASSWORD }, { from: '127.0.2.99' });
    const browser = cookiesOf(first).filter((cookie) => cookie.includes('known_browser'));
    expect(browser).toHaveLength(1);
    for (let n = 1; n <= 10; n++) {
      expect(await failures(email, `127.0.2.${n}`, 5)).toEqual(Array(5).fill(401));
    }
    const stranger = await post('sign-in/email', { email, password: PASSWORD }, { from: '127.0.2.50' });
    expect(stranger.status).toBe(429);
    const headers = ['Cookie', browser.join('; ')];
    const known = await post('sign-in/email', { email, password: PASSWORD }, { from: '127.0.2.1', headers });
    expect(known.status, known.text).toBe(200);
  });

  test('429: such a browser has five failures of its own, for its own e-mail, and its cookie cannot be forged', async () => {
    const [email, other] = [await userOf(world), await userOf(world)];
    const first = await post('sign-in/email', { email, password: PASSWORD }, { from: '127.0.3.1' });
    const [note = ''] = cookiesOf(first).filter((cookie) => cookie.includes('known_browser'));
    let address = 0;
    const guess = (whose: string, cookie: string) =>
      times(6, () => {
        address += 1;
        const from = `127.0.4.${address}`;
        return post(
          'sign-in/email',
          { email: whose, password: 'wrong' },
          { from, headers: ['Cookie', cookie] },
        );
      }).then((answers) => answers.map(({ status }) => status));
    expect(await guess(email, note)).toEqual([...Array(5).fill(401), 429]);
    // Without a valid cookie, each comes from an address of its own.
    expect(await guess(other, note)).toEqual(Array(6).fill(401));
    expect(await guess(email, `${note.slice(0, -4)}abcd`)).toEqual(Array(6).fill(401));
  });

  test('the cookie of a known browser goes to the sign-in alone, and no script reads it', async () => {
    const email = await userOf(world);
    const answer = await post('sign-in/email', { email, password: PASSWORD }, { from: '127.0.5.1' });
    const line = answer.headers.getSetCookie().find((each) => each.includes('known_browser'));
    expect(line).toMatch(/; Path=\/api\/auth\/sign-in;/);
    expect(line).toMatch(/HttpOnly/);
    expect(line).toMatch(/Secure/);
    expect(line).toMatch(/SameSite=Lax/);
    expect(line).not.toContain(email);
  });
});

test('the limits of signing in are those that were decided', () => {
  expect(DEFAULT_LIMITS).toMatchObject({
    sign_in_address: { points: 10, windowSec: 60 },
    sign_in_email_address: { points: 5, windowSec: 60 },
    sign_in_email: { points: 50, windowSec: 60 },
  });
});

async function opened(settings: Record<string, string>) {
  const world = await openWorld({ settings });
  return { world, [Symbol.asyncDispose]: () => world.close() };
}

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '../../engine/trading/keys/token.ts';
import { sendRaw } from '../support/api.ts';
import { expectWithstood } from './support/expect-withstood.ts';
import { type Fortress, openFortress, PASSWORD, shortOrFull } from './support/fortress.ts';

let fortress: Fortress;
/** An instance with open sign-up. */
let open: Fortress;
beforeAll(async () => {
  fortress = await openFortress();
  open = await openFortress({ SIGN_UP: 'open' });
});
afterAll(async () => {
  await fortress.close();
  await open.close();
});

const randomEmail = () => `${randomUUID()}@example.com`;
const wrong = (email: string, from: string, headers: string[] = []) =>
  fortress.auth('sign-in/email', { email, password: 'wrong password' }, { from, headers });
const right = (email: string, from: string) =>
  fortress.auth('sign-in/email', { email, password: PASSWORD }, { from });

async function statuses(count: number, call: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push((await call(n)).status);
  return all;
}

const tally = (all: readonly number[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(all, String)).map(([status, each]) => [status, each?.length]),
  );

const SPOOFED = ['X-Internal-Client-IP', 'X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'CF-Connecting-IP'];

test('S7: guessing is limited per address, for keys and passwords; a forged address header changes nothing', async () => {
  const guesses = shortOrFull(300, 1_000);
  const guess = () =>
    sendRaw(fortress.base, {
      method: 'GET',
      path: '/api/risk-rules',
      headers: ['Authorization', `Bearer ${newToken()}`],
      localAddress: '127.1.0.1',
    });
  const answered: number[] = [];
  while (answered.length < guesses) {
    const some = await Promise.all(Array.from({ length: 100 }, guess));
    answered.push(...some.map(({ status }) => status));
  }
  const keys = tally(answered);
  expect(Object.keys(keys)).toEqual(['401', '429']);
  expect(keys['401']).toBeLessThan(260);
  const passwords = await statuses(14, (n) =>
    wrong(
      randomEmail(),
      '127.1.0.2',
      SPOOFED.flatMap((name) => [name, `2001:db8:1:2::${n}`]),
    ),
  );
  expect(tally(passwords)).toEqual({ 401: 10, 429: 4 });
});

test('X2: ten wrong passwords from one address block no sign-in from another', async () => {
  const email = await fortress.user();
  expect(tally(await statuses(12, () => wrong(randomEmail(), '127.1.1.1')))).toEqual({ 401: 10, 429: 2 });
  expect((await right(email, '127.1.1.2')).status).toBe(200);
});

test('X3: no header escapes the limit of wrong passwords', async () => {
  for (const [n, name] of SPOOFED.slice(0, shortOrFull(1, SPOOFED.length)).entries()) {
    const all = await statuses(12, (m) => wrong(randomEmail(), `127.1.2.${n + 1}`, [name, `203.0.113.${m}`]));
    expect(tally(all), name).toEqual({ 401: 10, 429: 2 });
  }
});

test('X4: wrong passwords for an e-mail from elsewhere do not block its owner', async () => {
  const email = await fortress.user();
  expect(tally(await statuses(7, () => wrong(email, '127.1.3.1')))).toEqual({ 401: 5, 429: 2 });
  expect((await right(email, '127.1.3.2')).status).toBe(200);
});

const signUp = (name = 'Ada', from = '127.1.4.1') =>
  open.auth('sign-up/email', { email: randomEmail(), password: PASSWORD, name }, { from });

test('X5: one address creates five users an hour, and a flood of sign-ups does not delay stop-all', async () => {
  const before = await open.count('auth.user');
  let made = 0;
  await expectWithstood(open, async () => {
    // The maximum of connections of one address, less some spare for those that close.
    for (let round = 0; round < shortOrFull(1, 3); round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => signUp()));
      made += answers.filter(({ status }) => status === 200).length;
      expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
    }
  });
  expect(made).toBeLessThanOrEqual(5);
  expect(await open.count('auth.user')).toBe(before + made);
});

test('X15: a stolen session cannot be used to guess the password', async () => {
  const { cookie } = await fortress.signIn();
  const change = (currentPassword: string) =>
    fortress.auth(
      'change-password',
      { currentPassword, newPassword: 'a brand new one' },
      { cookie, from: '127.1.5.1' },
    );
  expect(tally(await statuses(12, () => change('wrong password')))).toEqual({ 400: 5, 429: 7 });
  expect((await change(PASSWORD)).status).toBe(429);
  const verified = await fortress.auth('verify-password', { password: PASSWORD }, { cookie });
  expect(verified.status).toBe(404);
});

test('X16: no name, picture or e-mail creates a user that is permanently broken', async () => {
  const before = await open.count('auth.user');
  const names = ['x'.repeat(121), 'x'.repeat(200_000), 'a\u0000b', 'a\nb', '\ud800', '   '];
  for (const name of names) expect((await signUp(name, '127.1.6.1')).status, name.slice(0, 9)).toBe(400);
  const image = `data:image/png;base64,${'A'.repeat(200_000)}`;
  const pictured = { email: randomEmail(), password: PASSWORD, name: 'Ada', image };
  expect((await open.auth('sign-up/email', pictured, { from: '127.1.6.1' })).status).toBe(400);
  expect(await open.count('auth.user')).toBe(before);
});

test('X24: a taken e-mail in other letter case is no second user, and a short password is refused', async () => {
  const email = randomEmail();
  const join = (user: object) =>
    open.auth('sign-up/email', { email, password: PASSWORD, name: 'Ada', ...user }, { from: '127.1.7.1' });
  expect((await join({})).status).toBe(200);
  const before = await open.count('auth.user');
  for (const same of [email.toUpperCase(), ` ${email}`, `${email} `]) {
    expect([400, 422]).toContain((await join({ email: same })).status);
  }
  expect((await join({ email: randomEmail(), password: 'short' })).status).toBe(400);
  expect(await open.count('auth.user')).toBe(before);
});

test('X26: the session of a sign-in stores its real address, whatever headers claim; a storm of sign-ins does not delay stop-all', async () => {
  const email = await fortress.user();
  const claims = SPOOFED.flatMap((name) => [name, '203.0.113.9']);
  const answer = await fortress.auth(
    'sign-in/email',
    { email, password: PASSWORD },
    { from: '127.1.8.1', headers: claims },
  );
  expect(answer.status).toBe(200);
  const { rows } = await sql<{ ipAddress: string }>`
    select s."ipAddress" from auth.session s join auth."user" u on u.id = s."userId" where u.email = ${email}
  `.execute(fortress.db);
  expect(rows).toEqual([{ ipAddress: '127.1.8.1' }]);
  await expectWithstood(fortress, () =>
    Promise.all(
      Array.from({ length: shortOrFull(80, 150) }, (_, n) => wrong(randomEmail(), `127.1.9.${n + 1}`)),
    ),
  );
});

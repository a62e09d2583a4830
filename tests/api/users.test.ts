import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { createUser } from '../../server/identity/users/users.ts';
import { expectOk, expectRefusal, sendRaw } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { cookieOf, type SignedIn } from '../support/sign-up.ts';
import { type Answer, ORIGIN, openWorld } from '../support/world.ts';

const PASSWORD = 'correct horse battery';

const world = openedForFile(() => openWorld({ isSlowToHash: true }));

const auth = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  world.send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN, ...headers }, body });

const portfolio = (cookie: string) => world.send('GET', '/api/portfolio', { headers: { cookie } });
const userIdOf = async (email: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`select id from auth."user" where email = ${email}`.execute(
    world.db,
  );
  return rows[0]?.id;
};
const newUser = () => ({ email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' });

describe('a name, an e-mail and a picture', () => {
  const bad: [string, object][] = [
    ['a name of 121 characters', { name: 'x'.repeat(121) }],
    ['a name of 12 KB', { name: 'x'.repeat(12_000) }],
    ['a name of several lines', { name: 'Ada\nLovelace' }],
    ['an empty name', { name: '  ' }],
    ['a picture of 12 KB', { image: `data:image/png;base64,${'A'.repeat(12_000)}` }],
    ['a picture that is no address', { image: 'javascript:alert(1)' }],
    ['a picture of 501 characters', { image: `https://example.com/${'x'.repeat(482)}` }],
  ];

  test.each(bad)('400 at sign-up and at editing: %s', async (_what, fields) => {
    const user = { ...newUser(), ...fields };
    expectRefusal(await auth('sign-up/email', user), 400, 'validation_failed');
    expect(await userIdOf(user.email)).toBeUndefined();
    const { cookie } = await shared();
    expectRefusal(await auth('update-user', fields, { cookie }), 400, 'validation_failed');
  });

  test('400: a name or a picture of 200 KB is not read', async () => {
    for (const fields of [{ name: 'x'.repeat(200_000) }, { image: 'A'.repeat(200_000) }]) {
      const user = { ...newUser(), ...fields };
      expectRefusal(await auth('sign-up/email', user), 400, 'payload_too_large');
      expect(await userIdOf(user.email)).toBeUndefined();
    }
  });

  test('400: an e-mail of 255 characters makes no user', async () => {
    const email = `${'x'.repeat(243)}@example.com`;
    expect(email).toHaveLength(255);
    const answer = await auth('sign-up/email', { ...newUser(), email });
    expect(answer.status).toBe(400);
    expect(await userIdOf(email)).toBeUndefined();
  });

  test('values within the bounds are stored as they were sent, without blanks around them', async () => {
    const user = { ...newUser(), name: ` ${'😀'.repeat(120)} `, image: 'https://example.com/ada.png' };
    const answer = await auth('sign-up/email', user);
    expect(answer.status, answer.text).toBe(200);
    expectOk(await portfolio(cookieOf(answer)));
    const { rows } = await sql`select name, image from auth."user" where email = ${user.email}`.execute(
      world.db,
    );
    expect(rows).toEqual([{ name: '😀'.repeat(120), image: user.image }]);
    const edited = await auth('update-user', { name: 'Ada', image: null }, { cookie: cookieOf(answer) });
    expect(edited.status, edited.text).toBe(200);
  });

  test.each([
    ['long', 'x'.repeat(500)],
    ['of control characters', 'a\u0007\nb\t'],
    ['empty', ''],
  ])('a user whose name a provider gives %s has an account all the same', async (_what, name) => {
    const { email } = newUser();
    const userId = await createUser(world.service.auth, { email, name, password: PASSWORD });
    expect(await findOrCreateAccountOfUser(world.pool, { userId, name, paperCash: '1' })).toMatch(
      /^[\da-f-]{36}$/,
    );
    const signedIn = await auth('sign-in/email', { email, password: PASSWORD });
    expectOk(await portfolio(cookieOf(signedIn)));
    const { rows } = await sql<{ name: string }>`select name from auth."user" where email = ${email}`.execute(
      world.db,
    );
    expect(rows[0]?.name).toMatch(/^\P{Cc}{1,120}$/u);
  });
});

describe('the token of a session', () => {
  test('no response of the framework hands it to a script', async () => {
    const user = newUser();
    const answers = [await auth('sign-up/email', user), await auth('sign-in/email', user)];
    const cookie = cookieOf(answers[1] as Answer);
    for (const path of ['get-session', 'list-sessions']) {
      answers.push(await world.send('GET', `/api/auth/${path}`, { headers: { cookie, origin: ORIGIN } }));
    }
    const { rows } = await sql<{ token: string }>`
      select token from auth.session s join auth."user" u on u.id = s."userId" where u.email = ${user.email}
    `.execute(world.db);
    expect(rows).toHaveLength(2);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/"token"/);
      for (const { token } of rows) expect(text).not.toContain(token);
    }
    expect(answers[2]?.body).toMatchObject({ user: { email: user.email }, session: {} });
    expect(answers[3]?.body).toHaveLength(2);
  });
});

describe('a password inside a session', () => {
  const change = (cookie: string, currentPassword: string, newPassword = 'a brand new password') =>
    auth('change-password', { currentPassword, newPassword, revokeOtherSessions: false }, { cookie });

  test('changing it ends every other session, and this one continues', async () => {
    const { email, cookie } = await world.signUp();
    const other = cookieOf(await auth('sign-in/email', { email, password: PASSWORD }));
    expectOk(await portfolio(other));
    const changed = await change(cookie, PASSWORD);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.text).not.toMatch(/"token"/);
    expectRefusal(await portfolio(other), 401);
    expectOk(await portfolio(cookieOf(changed)));
    expect((await auth('sign-in/email', { email, password: PASSWORD })).status).toBe(401);
  });

  test('429: five wrong guesses in a minute, and others may change theirs', async () => {
    await using limited = await openWorldWith({ RATE_LIMITS: 'on' });
    const guess = ({ cookie }: SignedIn, currentPassword: string) =>
      limited.world.send('POST', '/api/auth/change-password', {
        headers: { origin: ORIGIN, cookie },
        body: { currentPassword, newPassword: 'a brand new password' },
      });
    const [thief, neighbour] = [await limited.world.signUp(), await limited.world.signUp()];
    const statuses = [];
    for (let done = 0; done < 7; done++) statuses.push((await guess(thief, 'wrong password')).status);
    expect(statuses).toEqual([...Array(5).fill(400), 429, 429]);
    expectRefusal(await guess(thief, thief.password), 429, 'too_many_auth_failures');
    expect((await guess(neighbour, neighbour.password)).status).toBe(200);
  });

  test.each(['verify-password', 'verify-password/', 'verify%2Dpassword', '/verify-password'])(
    '404: no route tells whether a password is right: %s',
    async (path) => {
      const { cookie } = await shared();
      for (const password of [PASSWORD, 'wrong password']) {
        expectRefusal(await auth(path, { password }, { cookie }), 404, 'route_not_found');
      }
    },
  );
});

describe('the audit trail of people', () => {
  test('signing up, in and out, and a new password each leave a row with the person and the address', async () => {
    const { email, cookie } = await world.signUp();
    const again = cookieOf(await auth('sign-in/email', { email, password: PASSWORD }));
    expect((await auth('sign-out', {}, { cookie: again })).status).toBe(200);
    const changed = await auth(
      'change-password',
      { currentPassword: PASSWORD, newPassword: 'a brand new password' },
      { cookie, 'x-request-id': 'of-the-change' },
    );
    const trail = await world.send('GET', '/api/audit', { headers: { cookie: cookieOf(changed) } });
    const rows = expectOk(trail) as { action: string; actor: string; requestId: string; after: unknown }[];
    const userId = await userIdOf(email);
    expect(rows.map(({ action }) => action).sort()).toEqual(
      [
        'user.signed_up',
        'session.started',
        'session.started',
        'session.ended',
        'session.started',
        'session.ended',
        'password.changed',
      ].sort(),
    );
    for (const row of rows)
      expect(row).toMatchObject({ actor: `session:${userId}`, requestId: expect.any(String) });
    const password = rows.find(({ action }) => action === 'password.changed');
    expect(password).toMatchObject({ requestId: 'of-the-change', after: null });
    const started = rows.filter(({ action }) => action === 'session.started');
    for (const { after } of started) expect(after).toMatchObject({ address: '127.0.0.1' });
    expect(trail.text).not.toContain(PASSWORD);
  });
});

describe('signing up', () => {
  test('429: five an hour from one address, taken e-mails among them; an invalid request is not counted', async () => {
    await using limited = await openWorldWith({ RATE_LIMITS: 'on' });
    const from = (localAddress: string) => (user: object) =>
      sendRaw(limited.world.base, {
        method: 'POST',
        path: '/api/auth/sign-up/email',
        headers: ['Origin', ORIGIN, 'Content-Type', 'application/json'],
        body: JSON.stringify(user),
        localAddress,
      });
    const here = from('127.0.0.1');
    const user = newUser();
    for (const wrong of [{ name: '' }, { email: 'x' }, { password: 'short' }]) {
      expect((await here({ ...newUser(), ...wrong })).status).toBe(400);
    }
    expect((await here(user)).status).toBe(200);
    for (let done = 0; done < 4; done++) expect((await here(user)).status).toBe(422);
    expectRefusal(await here(newUser()), 429, 'rate_limited');
    expect((await from('127.0.0.2')(newUser())).status).toBe(200);
  });
});

describe('150 people at once', () => {
  test('a few passwords are checked, 503 with Retry-After for the rest, and other requests notice nothing', {
    tags: ['long'],
  }, async () => {
    const { cookie } = await shared();
    const brake = () =>
      world.send('POST', '/api/blueprints/stop', { headers: { cookie, origin: ORIGIN }, body: {} });
    const signIns = Array.from({ length: 150 }, () => auth('sign-in/email', newUser()));
    const brakes = await Promise.all(Array.from({ length: 5 }, brake));
    for (const answer of brakes) expectOk(answer);
    const answers = await Promise.all(signIns);
    const refused = answers.filter(({ status }) => status === 503);
    for (const answer of refused) expectRefusal(answer, 503, 'overloaded');
    expect(refused.length).toBeGreaterThan(50);
    expect(answers.filter(({ status }) => status === 401).length).toBe(150 - refused.length);
  });

  test('sign-ups keep no session waiting, however many hold a connection', { tags: ['long'] }, async () => {
    const { cookie } = await shared();
    const signUps = Array.from({ length: 60 }, () => auth('sign-up/email', newUser()));
    const reads = await Promise.all(Array.from({ length: 20 }, () => portfolio(cookie)));
    for (const answer of reads) expectOk(answer);
    const answers = await Promise.all(signUps);
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4);
  });
});

let signedIn: Promise<SignedIn> | undefined;
const shared = (): Promise<SignedIn> => {
  signedIn ??= world.signUp();
  return signedIn;
};

async function openWorldWith(settings: Record<string, string>) {
  const opened = await openWorld({ settings });
  return { world: opened, [Symbol.asyncDispose]: () => opened.close() };
}

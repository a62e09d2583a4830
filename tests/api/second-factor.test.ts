import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import {
  openSecondFactorKey,
  readSecondFactorUse,
  rewrapSecondFactorKey,
} from '../../server/identity/factors/second-factor-key.ts';
import { WRONG_CODES_MAX } from '../../server/identity/factors/two-factor.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { type MailServer, openMailServer } from '../support/notifications.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { cookiesAfter, type Protected, secondFactorOf } from '../support/second-factor.ts';
import type { SignedIn } from '../support/sign-up.ts';
import { codeAt } from '../support/totp-code.ts';
import { type Answer, ORIGIN, openWorld, type Send, sender, type World } from '../support/world.ts';

const OTHER = 'a brand new password';

let world: World;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await openMailServer();
  world = await openWorld({ settings: { SMTP_URL: mailServer.url } });
});
afterAll(async () => {
  await world.close();
  await mailServer.close();
});

const speaking =
  (send: Send) =>
  (path: string, body: unknown, cookie = ''): Promise<Answer> =>
    send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN, cookie }, body });
const auth = (path: string, body: unknown, cookie = '') => speaking(world.send)(path, body, cookie);
const signIn = (email: string, password: string) => auth('sign-in/email', { email, password });
const portfolio = (cookie: string) => world.send('GET', '/api/portfolio', { headers: { cookie } });
const tell = (name: string, body: unknown, cookie: string) =>
  world.send('POST', `/trpc/console.${name}`, { headers: { origin: ORIGIN, cookie }, body });

/** A refusal in the form of tRPC. */
const expectTold = ({ status, text }: Answer, wanted: number, code: string) =>
  expect([status, text]).toEqual([wanted, expect.stringContaining(`"code":"${code}"`)]);

/** A person whose authenticator is set up. */
const withSecondFactor = async (at: World = world): Promise<Protected> =>
  secondFactorOf(at.send, await at.signUp());

/** The code after the one that set the authenticator up: each is valid once. */
const nextCode = ({ uri }: Protected): string => codeAt(uri, Date.now() + 30_000);

/** The cookies of a person who has sent the password and not the code. */
async function halfway({ email, password }: SignedIn): Promise<string> {
  const answer = await signIn(email, password);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  return cookiesAfter(answer);
}

describe('a second factor', () => {
  test('with it a password alone opens nothing, by no cookie of the response; the code does', async () => {
    const person = await withSecondFactor();
    const answer = await signIn(person.email, person.password);
    const pairs = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    for (const cookie of [...pairs, pairs.join('; ')]) expectRefusal(await portfolio(cookie), 401);
    const half = await halfway(person);
    for (const path of ['get-session', 'token'])
      expect(
        (await world.send('GET', `/api/auth/${path}`, { headers: { cookie: half } })).text,
      ).not.toContain('ey');
    const wrong = await auth('two-factor/verify-totp', { code: '000000', trustDevice: true }, half);
    expect(wrong.status).toBe(401);
    const right = await auth('two-factor/verify-totp', { code: nextCode(person), trustDevice: true }, half);
    expect(right.status, right.text).toBe(200);
    expectOk(await portfolio(cookiesAfter(right, half)));
    // No browser is trusted for good: the next sign-in requires a code again.
    await halfway(person);
    // The challenge is already used.
    expect((await auth('two-factor/verify-totp', { code: codeAt(person.uri) }, half)).status).toBe(401);
  });

  test('a code signs in once: not the one that set it up, and of two sign-ins at once one', async () => {
    const person = await withSecondFactor();
    const [code, half] = [codeAt(person.uri), await halfway(person)];
    expect((await auth('two-factor/verify-totp', { code }, half)).status).toBe(401);
    const next = nextCode(person);
    const halves = [await halfway(person), await halfway(person)];
    const answers = await Promise.all(
      halves.map((each) => auth('two-factor/verify-totp', { code: next }, each)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('the audit trail distinguishes a password without its code from a sign-in', async () => {
    const person = await withSecondFactor();
    await halfway(person);
    const trail = expectOk(await world.send('GET', '/api/audit', { headers: { cookie: person.cookie } })) as {
      action: string;
    }[];
    const actions = trail.map(({ action }) => action);
    expect(actions[0]).toBe('session.code_asked');
    expect(actions).toContain('second_factor.turned_on');
    expect(actions.filter((action) => action === 'session.started')).toHaveLength(2);
  });

  test('a recovery code opens once; the database holds none in a usable form', async () => {
    const person = await withSecondFactor();
    expect(person.codes).toHaveLength(10);
    const [code = ''] = person.codes;
    const { rows } = await sql<{ kept: string; secret: string }>`select f."backupCodes" as kept, f.secret
      from auth."twoFactor" f join auth."user" u on u.id = f."userId" where u.email = ${person.email}`.execute(
      world.db,
    );
    const [{ kept = '', secret = '' } = {}] = rows;
    for (const each of person.codes) expect(kept).not.toContain(each);
    expect(secret).not.toContain(new URL(person.uri).searchParams.get('secret'));
    for (const digest of JSON.parse(kept) as string[]) {
      const stolen = await auth(
        'two-factor/verify-backup-code',
        { code: digest.slice(0, 40) },
        await halfway(person),
      );
      expect(stolen.status).toBe(401);
      break;
    }
    const half = await halfway(person);
    const opened = await auth('two-factor/verify-backup-code', { code }, half);
    expect(opened.status, opened.text).toBe(200);
    expectOk(await portfolio(cookiesAfter(opened, half)));
    const again = await auth('two-factor/verify-backup-code', { code }, await halfway(person));
    expect(again.status).toBe(401);
    const [, second] = person.codes;
    expect(
      (await auth('two-factor/verify-backup-code', { code: second }, await halfway(person))).status,
    ).toBe(200);
  });

  test('codes may be guessed five times in a sign-in and ten times in all; then none is checked, right or wrong', async () => {
    const person = await withSecondFactor();
    const statuses: number[] = [];
    for (let round = 0; round < 2; round++) {
      const half = await halfway(person);
      for (let n = 0; n < WRONG_CODES_MAX / 2; n++)
        statuses.push((await auth('two-factor/verify-totp', { code: `00000${n}` }, half)).status);
      expect((await auth('two-factor/verify-totp', { code: codeAt(person.uri) }, half)).status).not.toBe(200);
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
    const locked = await auth('two-factor/verify-totp', { code: codeAt(person.uri) }, await halfway(person));
    expect(locked.status).toBe(429);
    const [code] = person.codes;
    expect((await auth('two-factor/verify-backup-code', { code }, await halfway(person))).status).toBe(429);
    expectOk(await portfolio(person.cookie));
  });

  test('only the password switches it off, in whatever session', async () => {
    const person = await withSecondFactor();
    for (const body of [{}, { password: 'wrong password' }])
      expect((await auth('two-factor/disable', body, person.cookie)).status).toBe(400);
    await halfway(person);
    const off = await auth('two-factor/disable', { password: person.password }, person.cookie);
    expect(off.status, off.text).toBe(200);
    expect((await signIn(person.email, person.password)).body).toMatchObject({
      user: { email: person.email },
    });
  });

  test('within a session no route reveals a secret or whether a code is right, and guesses of the password are counted', async () => {
    await using limited = await openWorld({ settings: { RATE_LIMITS: 'on' } });
    const { cookie, password } = await limited.signUp();
    const here = (path: string, body: unknown) =>
      limited.send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN, cookie }, body });
    for (const path of ['get-totp-uri', 'verify-backup-code', 'send-otp', 'verify-otp'])
      expectRefusal(await here(`two-factor/${path}`, { password, code: '000000' }), 404, 'route_not_found');
    const guesses = ['enable', 'disable', 'generate-backup-codes', 'enable', 'disable', 'enable'];
    const statuses: number[] = [];
    for (const path of guesses)
      statuses.push((await here(`two-factor/${path}`, { password: 'wrong password' })).status);
    expect(statuses).toEqual([...Array(5).fill(400), 429]);
    expect((await here('two-factor/enable', { password })).status).toBe(429);
  });
});

/** A code and a recovery code at another process of the service, as their response statuses. */
async function openedAt(address: { port: number } | null, person: Protected): Promise<number[]> {
  const there = speaking(sender(`http://127.0.0.1:${address?.port}`));
  const { email, password, codes } = person;
  const half = async () => cookiesAfter(await there('sign-in/email', { email, password }));
  const totp = await there('two-factor/verify-totp', { code: nextCode(person) }, await half());
  const recovery = await there('two-factor/verify-backup-code', { code: codes[0] }, await half());
  return [totp.status, recovery.status];
}

const newKeys = () => `k9:${randomBytes(32).toString('base64')}`;
const ANOTHER_SECRET = 'another secret of the tests, long enough for signing';

describe('the keys that seal second factors', () => {
  test('a right code and a recovery code work after a change of AUTH_SECRET', async () => {
    const person = await withSecondFactor();
    const changed = await world.another({}, ANOTHER_SECRET);
    try {
      expect(await openedAt(changed.address, person)).toEqual([200, 200]);
    } finally {
      await changed.stop();
    }
  });

  test('a second factor made without CREDENTIAL_KEYS works, and is sealed by the first start that has them', async () => {
    await using plain = await openWorld({ settings: { CREDENTIAL_KEYS: '' } });
    const person = await withSecondFactor(plain);
    const keyed = await plain.another({ CREDENTIAL_KEYS: newKeys() });
    try {
      const { rows } = await sql<{ secret: string }>`select secret from auth."twoFactor"`.execute(plain.db);
      expect(rows.map(({ secret }) => secret.slice(0, 4))).toEqual(['gcm:']);
      expect(await openedAt(keyed.address, person)).toEqual([200, 200]);
    } finally {
      await keyed.stop();
    }
  });

  test('without the keys, or the secret, a right code is refused as a wrong one: 401, never 500', async () => {
    const person = await withSecondFactor();
    const plain = await openWorld({ settings: { CREDENTIAL_KEYS: '' } });
    const other = await world.another({ CREDENTIAL_KEYS: newKeys() });
    try {
      expect(await openedAt(other.address, person)).toEqual([401, 401]);
      const early = await withSecondFactor(plain);
      const changed = await plain.another({ CREDENTIAL_KEYS: '' }, ANOTHER_SECRET);
      expect(await openedAt(changed.address, early)).toEqual([401, 401]);
      await changed.stop();
    } finally {
      await other.stop();
      await plain.close();
    }
  });

  test('keys rotate: the new one opens what the old one sealed, once it is wrapped again', async () => {
    await using plain = await openWorld({ settings: { CREDENTIAL_KEYS: '' } });
    const [old, next] = [newKeys(), newKeys().replace('k9', 'k10')];
    const sealed = (await openSecondFactorKey(plain.db, KeyRing.parse(old))).seal('a secret');
    const both = KeyRing.parse(`${next},${old}`);
    expect(await rewrapSecondFactorKey(plain.db, both)).toBe(true);
    expect(await rewrapSecondFactorKey(plain.db, both)).toBe(false);
    expect(await readSecondFactorUse(plain.db)).toBe('k10');
    const key = await openSecondFactorKey(plain.db, KeyRing.parse(next));
    expect(key.open(sealed)).toBe('a secret');
    expect(key.open(`${sealed.slice(0, -4)}AAAA`)).toBeNull();
  });

  test('an operator removes a second factor; its sessions end, and the audit trail records it', async () => {
    const person = await withSecondFactor();
    const reset = await runCommand(
      'users',
      ['reset-second-factor', '--email', person.email],
      settingsOf(world.database),
    );
    expect(reset, reset.stderr).toMatchObject({ code: 0 });
    expectRefusal(await portfolio(person.cookie), 401);
    const { body, headers } = await signIn(person.email, person.password);
    expect(body).toMatchObject({ user: { email: person.email } });
    const cookie = cookiesAfter({ headers } as Answer);
    const trail = expectOk(await world.send('GET', '/api/audit', { headers: { cookie } })) as {
      action: string;
    }[];
    expect(trail.map(({ action }) => action)).toContain('second_factor.turned_off');
  });
});

describe('a forgotten password', () => {
  const mailTo = (email: string) =>
    mailServer.mails
      .map((mail) => mail.replaceAll('=\r\n', ''))
      .find((mail) => mail.includes(`To: ${email}`));
  const tokenIn = (mail: string | undefined) => /reset-password#(\w+)/.exec(mail ?? '')?.[1] ?? '';

  test('a mail sets a new one, once; every session ends, and the code is still required', async () => {
    const person = await withSecondFactor();
    expect((await auth('request-password-reset', { email: person.email })).status).toBe(200);
    await expect.poll(() => mailTo(person.email), { timeout: 30_000 }).toBeDefined();
    const token = tokenIn(mailTo(person.email));
    expect(token).not.toBe('');
    const { rows } = await sql`select 1 from auth.verification where identifier like ${`%${token}%`}`.execute(
      world.db,
    );
    expect(rows).toEqual([]);
    const link = await world.send('GET', `/api/auth/reset-password/${token}?callbackURL=/`);
    expectRefusal(link, 404, 'route_not_found');
    const set = () => auth('reset-password', { token, newPassword: OTHER });
    expect((await auth('reset-password', { token, newPassword: 'short' })).status).toBe(400);
    expect((await set()).status).toBe(200);
    expect((await set()).status).toBe(400);
    expectRefusal(await portfolio(person.cookie), 401);
    expect((await signIn(person.email, person.password)).status).toBe(401);
    await halfway({ ...person, password: OTHER });
  });

  test('the answer is the same for an unknown address, which gets no mail', async () => {
    const { email } = await world.signUp();
    const known = await auth('request-password-reset', { email });
    const unknown = await auth('request-password-reset', { email: 'nobody@example.com' });
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await expect.poll(() => mailTo(email), { timeout: 30_000 }).toBeDefined();
    expect(mailTo('nobody@example.com')).toBeUndefined();
  });
});

describe('deleting an account', () => {
  test('needs the password, ends every session and key, and the operator erases the remaining personal data', async () => {
    const person = await withSecondFactor();
    const made = await world.send('POST', '/api/blueprints', {
      headers: { origin: ORIGIN, cookie: person.cookie },
      body: { name: `Plan of ${person.email}` },
    });
    expectOk(made);
    expectTold(await tell('leave', { password: 'wrong password' }, person.cookie), 403, 'password_required');
    expectOk(await portfolio(person.cookie));
    const left = await tell('leave', { password: person.password }, person.cookie);
    expect(left.status, left.text).toBe(200);
    expectRefusal(await portfolio(person.cookie), 401);
    expect((await signIn(person.email, person.password)).status).toBe(401);
    await expect(world.signUp(person.email)).resolves.toMatchObject({ email: person.email });

    const erased = await runCommand('erase-user', ['--left', '--yes'], settingsOf(world.database));
    expect(erased, erased.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 deleted user is erased'),
    });
    const { rows } = await sql`select 1 from blueprint where name = ${`Plan of ${person.email}`}
      union all select 1 from audit_event where after::text like ${`%${person.email}%`}`.execute(world.db);
    expect(rows).toEqual([]);
  });
});

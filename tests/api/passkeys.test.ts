import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSKEYS_MAX } from '../../server/identity/factors/passkeys.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { Authenticator } from '../support/authenticator.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import type { SignedIn } from '../support/sign-up.ts';
import { codeAt } from '../support/totp-code.ts';
import { type Answer, ORIGIN, openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Options = { challenge: string; rpId?: string; rp?: { id: string }; userVerification?: string };

const auth = (path: string, body: unknown, cookie = ''): Promise<Answer> =>
  world.send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN, cookie }, body });
const read = (path: string, cookie = ''): Promise<Answer> =>
  world.send('GET', `/api/auth/${path}`, { headers: { origin: ORIGIN, cookie } });
const portfolio = (cookie: string) => world.send('GET', '/api/portfolio', { headers: { cookie } });
const cookiesOf = ({ headers }: Answer, before = '') =>
  [...(before ? [before] : []), ...headers.getSetCookie().map((line) => line.split(';')[0])].join('; ');
const listed = async (cookie: string) =>
  expectOk(await read('passkey/list-user-passkeys', cookie)) as { id: string; name: string }[];

type How = { isUnlocked?: boolean; origin?: string };

/** Registers a passkey of a device and returns the service's response. */
async function add(
  { cookie, password }: Pick<SignedIn, 'cookie' | 'password'>,
  device: Authenticator,
  more: { name?: unknown; password?: unknown } & How = {},
): Promise<Answer> {
  const options = await read('passkey/generate-register-options', cookie);
  const { isUnlocked, origin, ...fields } = more;
  const response = device.register(expectOk(options) as Options, {
    ...(isUnlocked !== undefined && { isUnlocked }),
    ...(origin !== undefined && { origin }),
  });
  return auth(
    'passkey/verify-registration',
    { response, name: 'Laptop', password, ...fields },
    cookiesOf(options, cookie),
  );
}

async function signIn(device: Authenticator, how: How = {}): Promise<Answer> {
  const options = await read('passkey/generate-authenticate-options');
  const response = device.signIn(expectOk(options) as Options, how);
  return auth('passkey/verify-authentication', { response }, cookiesOf(options));
}

async function withPasskey(): Promise<{ person: SignedIn; device: Authenticator }> {
  const person = await world.signUp();
  const device = new Authenticator(ORIGIN);
  expect((await add(person, device)).status).toBe(200);
  return { person, device };
}

describe('a passkey', () => {
  test('is added with the password, named, renamed, listed to its owner, and signs in without password and code', async () => {
    const { person, device } = await withPasskey();
    const [first] = await listed(person.cookie);
    expect(first).toMatchObject({ name: 'Laptop' });
    const renamed = await auth('passkey/update-passkey', { id: first?.id, name: '  Work ' }, person.cookie);
    expect(renamed.status).toBe(200);
    expect(await listed(person.cookie)).toMatchObject([{ name: 'Work' }]);
    const entered = await signIn(device);
    expect(entered.status, entered.text).toBe(200);
    expect(entered.text).not.toContain('"token"');
    expectOk(await portfolio(cookiesOf(entered)));
  });

  test('stands for the second factor where that is on', async () => {
    const { person, device } = await withPasskey();
    const enabled = await auth('two-factor/enable', { password: person.password }, person.cookie);
    const { totpURI } = expectOk(enabled) as { totpURI: string };
    expect((await auth('two-factor/verify-totp', { code: codeAt(totpURI) }, person.cookie)).status).toBe(200);
    const byPassword = await auth('sign-in/email', { email: person.email, password: person.password });
    expect(byPassword.body).toMatchObject({ twoFactorRedirect: true });
    expectOk(await portfolio(cookiesOf(await signIn(device))));
  });

  test('is refused from a device that was not unlocked, when it is added and when it signs in', async () => {
    const person = await world.signUp();
    const locked = await add(person, new Authenticator(ORIGIN), { isUnlocked: false });
    expect(locked.status).toBe(401);
    expect(await listed(person.cookie)).toEqual([]);
    const { device } = await withPasskey();
    const answer = await signIn(device, { isUnlocked: false });
    expect(answer.status).toBe(401);
    expectRefusal(await portfolio(cookiesOf(answer)), 401);
  });

  test('of another origin than the service’s own is refused', async () => {
    const person = await world.signUp();
    const elsewhere = await add(person, new Authenticator('https://desk.evil.example'));
    expect(elsewhere.status).toBe(400);
    const { device } = await withPasskey();
    expect((await signIn(device, { origin: 'https://desk.evil.example' })).status).toBe(400);
  });

  test('is not added without the password, with a wrong one, or without a session', async () => {
    const person = await world.signUp();
    const device = new Authenticator(ORIGIN);
    for (const password of [undefined, 'not the password at all'])
      expectRefusal(await add(person, device, { password }), 403, 'password_required');
    expect((await read('passkey/generate-register-options')).status).toBe(401);
    expect(await listed(person.cookie)).toEqual([]);
  });

  test('400: a name of no or too many characters, an invalid response, a used challenge', async () => {
    const person = await world.signUp();
    for (const name of ['', ' ', 'x'.repeat(61), 'two\nlines', 5])
      expectRefusal(await add(person, new Authenticator(ORIGIN), { name }), 400, 'validation_failed');
    const options = await read('passkey/generate-register-options', person.cookie);
    const cookie = cookiesOf(options, person.cookie);
    const body = (response: unknown) => ({ response, name: 'x', password: person.password });
    const junk = await auth('passkey/verify-registration', body({ id: 'x', response: {} }), cookie);
    expect(junk.status).toBe(400);
    const again = new Authenticator(ORIGIN).register(expectOk(options) as Options);
    expect((await auth('passkey/verify-registration', body(again), cookie)).status).toBe(400);
    expect(await listed(person.cookie)).toEqual([]);
  });

  test('is one person’s: no other user registers its id, sees, renames or removes it', async () => {
    const { person, device } = await withPasskey();
    const [mine] = await listed(person.cookie);
    const stranger = await world.signUp();
    const same = new Authenticator(ORIGIN, Buffer.from(device.id, 'base64url'));
    expect((await add(stranger, same)).status).toBe(400);
    expect(await listed(stranger.cookie)).toEqual([]);
    for (const [path, body] of [
      ['passkey/update-passkey', { id: mine?.id, name: 'Theirs' }],
      ['passkey/delete-passkey', { id: mine?.id }],
      ['passkey/delete-passkey', { id: randomUUID() }],
    ] as const)
      expect((await auth(path, body, stranger.cookie)).status).toBeGreaterThanOrEqual(400);
    expect(await listed(person.cookie)).toMatchObject([{ name: 'Laptop' }]);
    expectOk(await portfolio(cookiesOf(await signIn(device))));
  });

  test('removed, no longer signs in; the audit trail has both', async () => {
    const { person, device } = await withPasskey();
    const [mine] = await listed(person.cookie);
    expect((await auth('passkey/delete-passkey', { id: mine?.id }, person.cookie)).status).toBe(200);
    expect((await signIn(device)).status).toBe(401);
    const trail = expectOk(await world.send('GET', '/api/audit', { headers: { cookie: person.cookie } })) as {
      action: string;
      subjectId: string;
    }[];
    expect(trail.filter(({ action }) => action.startsWith('passkey.'))).toMatchObject([
      { action: 'passkey.removed', subjectId: mine?.id },
      { action: 'passkey.added', subjectId: mine?.id },
    ]);
  });

  test(`there are ${PASSKEYS_MAX} at most`, async () => {
    const person = await world.signUp();
    for (let count = 0; count < PASSKEYS_MAX; count++)
      expect((await add(person, new Authenticator(ORIGIN))).status).toBe(200);
    const more = await add(person, new Authenticator(ORIGIN));
    expect([more.status, more.text]).toEqual([400, expect.stringContaining('20 passkeys of at most 20')]);
  });

  test('is in the export without its key, and gone with its owner', async () => {
    const { person, device } = await withPasskey();
    const kept = await world.send('GET', '/api/account/export', { headers: { cookie: person.cookie } });
    expect(kept.text).toContain('"Laptop"');
    expect(kept.text).not.toContain(device.id);
    await runCommand('erase-user', ['--email', person.email, '--yes'], settingsOf(world.database));
    expect((await signIn(device)).status).toBe(401);
  });
});

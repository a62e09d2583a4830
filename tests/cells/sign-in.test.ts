import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { moveAccount } from '../../server/cli/moving/move.ts';
import { createUser } from '../../server/identity/users/users.ts';
import { expectOk } from '../support/api.ts';
import { Authenticator } from '../support/authenticator.ts';
import { openedTwoCells } from '../support/cell-worlds.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { cookieOf } from '../support/sign-up.ts';
import { type Answer, ORIGIN, type World } from '../support/world.ts';

const { home, other, moving, newPerson } = openedTwoCells();
const dir = mkdtempSync(path.join(tmpdir(), 'routes-'));
afterAll(() => rmSync(dir, { recursive: true }));

type Options = { challenge: string; user?: { id: string } };

const auth = (world: World, what: string, body: unknown, cookie = '') =>
  world.send('POST', `/api/auth/${what}`, { headers: { origin: ORIGIN, cookie }, body });
const signUp = (world: World, email: string) =>
  auth(world, 'sign-up/email', { email, password: 'correct horse battery', name: 'Ada' });
const optionsOf = (world: World, what: string, cookie = '') =>
  world.send('GET', `/api/auth/passkey/${what}`, { headers: { origin: ORIGIN, cookie } });

async function addPasskey(world: World, cookie: string, password: string) {
  const device = new Authenticator(ORIGIN, undefined, true);
  const options = await optionsOf(world, 'generate-register-options', cookie);
  const response = device.register(expectOk(options) as Options);
  const cookies = `${cookie}; ${cookieOf(options)}`;
  expectOk(await auth(world, 'passkey/verify-registration', { response, name: 'Laptop', password }, cookies));
  return { device, userHandle: (options.body as Options).user?.id ?? '' };
}

/** Returns the answer of a device to a challenge of this cell. */
async function answerOf(world: World, device: Authenticator) {
  const options = await optionsOf(world, 'generate-authenticate-options');
  return { body: { response: device.signIn(expectOk(options) as Options) }, cookie: cookieOf(options) };
}
const enter = (world: World, { body, cookie }: { body: unknown; cookie: string }): Promise<Answer> =>
  auth(world, 'passkey/verify-authentication', body, cookie);

describe('the e-mail of a moved account', () => {
  test('is taken in cell 0 as if it were there, until the account is back, whatever its case', async () => {
    const { accountId, email } = await newPerson();
    const taken = await signUp(home, email);
    expect(taken.status).toBe(422);
    await moveAccount(moving(accountId));
    for (const same of [email, email.toUpperCase()]) {
      const again = await signUp(home, same);
      expect([again.status, again.body]).toEqual([taken.status, taken.body]);
    }
    const { auth: framework } = home.service;
    await expect(createUser(framework, { email, name: 'Ada', password: 'correct horse' })).rejects.toThrow();
    await moveAccount(moving(accountId, [other, home]));
    expect((await sql`select from moved_email where moved_id = ${accountId}`.execute(home.db)).rows).toEqual(
      [],
    );
    expect((await signUp(home, email)).status).toBe(422);
  });

  test('is routed by an HMAC, whose key has a file of its own that others cannot read; no file has the e-mail', async () => {
    const { accountId, email, key, cookie, password } = await newPerson();
    const { device } = await addPasskey(home, cookie, password);
    const routes = path.join(dir, 'moved-keys.map');
    writeFileSync(routes, 'AA cell7\n');
    const args = ['--account', accountId, '--to', settingsOf(other.database).DATABASE_URL];
    const reload = ['--routes', routes, '--reload', `cp ${routes} ${dir}/read.map`];
    const moved = await runCommand('account-move', [...args, ...reload], settingsOf(home.database));
    expect(moved, moved.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(dir, 'read.map'), 'utf8')).toBe(readFileSync(routes, 'utf8'));
    const keyFile = path.join(dir, 'email-key.map');
    const [, emailKey = ''] = readFileSync(keyFile, 'utf8').trim().split(' ');
    const digests = [
      createHmac('sha256', Buffer.from(emailKey, 'base64')).update(email).digest('hex'),
      createHash('sha256').update(key).digest('hex'),
      createHash('sha256').update(device.id).digest('hex'),
    ];
    const lines = readFileSync(routes, 'utf8').trim().split('\n');
    expect(lines).toContain('AA cell7');
    expect(lines).toEqual(expect.arrayContaining(digests.map((digest) => `${digest.toUpperCase()} cell1`)));
    expect(lines.join()).not.toContain(createHash('sha256').update(email).digest('hex').toUpperCase());
    expect(statSync(keyFile).mode & 0o077).toBe(0);
  });

  test('is routed by hand if HAProxy cannot be reloaded: the account has moved, its ledger is proven, and the command fails', async () => {
    const { accountId } = await newPerson();
    const routes = path.join(dir, 'unread.map');
    writeFileSync(routes, '');
    const args = ['--account', accountId, '--to', settingsOf(other.database).DATABASE_URL];
    const reload = ['--routes', routes, '--reload', 'exit 3'];
    const moved = await runCommand('account-move', [...args, ...reload], settingsOf(home.database));
    expect(moved.code).toBe(1);
    expect(moved.stderr).toContain('HAProxy is not reloaded, do it by hand');
    expect(moved.stdout).toContain('is in cell 1, and its ledger agrees there');
  });

  test('is hashed by one key in all cells: a move into a cell with another one is refused', async () => {
    const { accountId } = await newPerson();
    const { accountId: before } = await newPerson();
    await moveAccount(moving(before));
    const { rows } = await sql<{ key: Buffer }>`select email_key as key from cell`.execute(other.db);
    expect(rows[0]?.key).toHaveLength(32);
    await sql`update cell set email_key = sha256('another'::bytea)`.execute(other.db);
    await expect(moveAccount(moving(accountId))).rejects.toThrow('different keys of e-mails');
    await sql`update cell set email_key = ${rows[0]?.key}`.execute(other.db);
    await sql`update cell set email_key = null`.execute(home.db); // as in a backup from before the first move
    await moveAccount(moving(accountId));
    const { rows: again } = await sql<{ key: Buffer }>`select email_key as key from cell`.execute(home.db);
    expect(again).toEqual(rows);
  });
});

describe('a sign-in in one cell, begun in another', () => {
  test('by passkey: the challenge of another cell is accepted once, and signed; that of this cell as ever', async () => {
    const { accountId, cookie, password } = await newPerson();
    const { device, userHandle } = await addPasskey(home, cookie, password);
    expect(userHandle).not.toContain('cell');
    const native = await answerOf(home, device);
    expectOk(await enter(home, native));
    expect((await enter(home, native)).status).toBe(400);

    await moveAccount(moving(accountId));
    const foreign = await answerOf(home, device);
    const forged = foreign.cookie.replace(/(passkey_challenge=)0/, '$11');
    expect((await enter(other, { ...foreign, cookie: forged })).status).toBe(400);
    const alone = foreign.cookie.replace(/[^ ]*passkey_challenge=[^;]*;?/, '');
    expect((await enter(other, { ...foreign, cookie: alone })).status).toBe(400);
    const both = await Promise.all([enter(other, foreign), enter(other, foreign)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await enter(other, foreign)).status).toBe(400);
    const mixed = await answerOf(home, device); // the used challenge under a token that was not used
    const note = (text: string) => /[^ ]*passkey_challenge=[^;]*/.exec(text)?.[0] ?? '';
    const replayed = mixed.cookie.replace(note(mixed.cookie), note(foreign.cookie));
    expect((await enter(other, { ...foreign, cookie: replayed })).status).toBe(400);

    const there = cookieOf(both.find(({ status }) => status === 200) as Answer);
    const added = await addPasskey(other, there, password);
    expect(added.userHandle).toMatch(/^cell01__[\w-]{24}$/);
    expectOk(await enter(other, await answerOf(home, added.device)));
  });

  test('by passkey: no other signed cookie passes for its challenge', async () => {
    const { accountId, cookie, email, password } = await newPerson();
    const { device } = await addPasskey(home, cookie, password);
    const signedIn = cookieOf(await auth(home, 'sign-in/email', { email, password }));
    await moveAccount(moving(accountId));
    const foreign = await answerOf(home, device);
    for (const name of ['known_browser', 'session_token']) {
      const value = new RegExp(`${name}=([^;]+)`).exec(signedIn)?.[1] ?? '';
      expect(value).not.toBe('');
      const exchanged = foreign.cookie.replace(/(passkey_challenge=)[^;]*/, `$1${value}`);
      expect((await enter(other, { ...foreign, cookie: exchanged })).status).toBe(400);
    }
    expectOk(await enter(other, foreign));
  });

  test('ends the cookies of other cells, which a proxy would follow; a wrong password ends none', async () => {
    const { accountId, email, password } = await newPerson();
    await moveAccount(moving(accountId));
    const carried = 'better-auth.session_token=a.b; cell7.two_factor=c; cell1.session_token=d; theme=dark';
    const wrong = await auth(other, 'sign-in/email', { email, password: 'not the password' }, carried);
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const right = await auth(other, 'sign-in/email', { email, password }, carried);
    const ended = right.headers
      .getSetCookie()
      .filter((line) => /max-age=0/i.test(line))
      .map((line) => line.split('=')[0]);
    expect(ended).toEqual(['better-auth.session_token', 'cell7.two_factor']);
  });
});

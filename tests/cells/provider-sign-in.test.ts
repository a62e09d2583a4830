import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { moveAccount, readUsers } from '../../server/cli/moving/move.ts';
import { writeRoutes } from '../../server/cli/moving/routes.ts';
import { expectOk } from '../support/api.ts';
import { openedTwoCells } from '../support/cell-worlds.ts';
import '../support/play-github.ts';
import { openedForFile } from '../support/opened.ts';
import { cookieOf } from '../support/sign-up.ts';
import { ORIGIN, openWorld, type World } from '../support/world.ts';

const settings = { GITHUB_CLIENT_ID: 'our-id', GITHUB_CLIENT_SECRET: 'our-secret' };
const { home, other, moving } = openedTwoCells(settings);
const closed = openedForFile(() => openWorld({ settings: { ...settings, SIGN_UP: 'closed' } }));

const dir = mkdtempSync(path.join(tmpdir(), 'routes-'));
afterAll(() => rmSync(dir, { recursive: true }));

const headersOf = (cookie: string) => ({ origin: ORIGIN, cookie });
const newEmail = () => `${randomUUID()}@example.com`;

/** Signs in by the provider as a browser does: begins, is sent there, and comes back with a code. */
async function enter(world: World, email: string, cookie = '') {
  const begun = await world.send('POST', '/api/auth/sign-in/social', {
    headers: headersOf(cookie),
    body: { provider: 'github', callbackURL: '/', errorCallbackURL: '/sign-in' },
  });
  const state = new URL((expectOk(begun) as { url: string }).url).searchParams.get('state');
  const code = Buffer.from(email).toString('base64url');
  const answer = await world.send('GET', `/api/auth/callback/github?code=${code}&state=${state}`, {
    headers: headersOf(`${cookie}; ${cookieOf(begun)}`),
  });
  const cookies = [...begun.headers.getSetCookie(), ...answer.headers.getSetCookie()];
  return { status: answer.status, place: answer.headers.get('location'), cookies };
}

const names = (lines: readonly string[]) => lines.map((line) => line.split('=')[0]);
const subjectOf = async (world: World, email: string) => {
  const accountId = await accountOf(world, email);
  return { accountId, userIds: await readUsers(world.db, accountId) };
};
const accountOf = async (world: World, email: string) =>
  (
    await sql<{ id: string }>`select account_id as id from membership
      join auth."user" u on u.id = user_id where email = ${email}`.execute(world.db)
  ).rows[0]?.id ?? '';

test('of a moved account: its old cell says so and names its home to the browser, never a user; its new cell lets it in', async () => {
  const email = newEmail();
  expect(await enter(home, email)).toMatchObject({ status: 302, place: '/' });
  const accountId = await accountOf(home, email);
  await moveAccount(moving(accountId));

  const first = await enter(home, email);
  expect(first).toMatchObject({
    status: 302,
    place: expect.stringMatching(/^\/sign-in\?error=account_moved/),
  });
  expect(names(first.cookies)).not.toContain('better-auth.session_token');
  const { rows } = await sql<{ digest: string }>`select upper(encode(digest, 'hex')) as digest
    from moved_email where moved_id = ${accountId}`.execute(home.db);
  const note = first.cookies.findLast((line) => line.startsWith('sign_in_home='));
  expect(note).toContain(`sign_in_home=${rows[0]?.digest};`);
  expect(note).toMatch(/Max-Age=300; .*HttpOnly/);

  const old = `sign_in_home=${rows[0]?.digest}; better-auth.session_token=old`;
  const second = await enter(other, email, old);
  expect(second).toMatchObject({ status: 302, place: '/' });
  expect(names(second.cookies)).toContain('cell1.session_token');
  const ended = second.cookies.filter((line) => line.includes('Max-Age=0'));
  expect(names(ended)).toEqual(expect.arrayContaining(['sign_in_home', 'better-auth.session_token']));
});

test('a moved person whose e-mail at the provider has changed since is found too, and becomes no second user', async () => {
  const [email, changed] = [newEmail(), newEmail()];
  expect(await enter(home, email)).toMatchObject({ place: '/' });
  await moveAccount(moving(await accountOf(home, email)));

  const person = `${changed} ${email}`;
  const first = await enter(home, person);
  expect(first.place).toMatch(/^\/sign-in\?error=account_moved/);
  const { rows } = await sql`select from auth."user" where email = ${changed}`.execute(home.db);
  expect(rows).toEqual([]);
  const routes = path.join(dir, 'moved-keys.map');
  writeFileSync(routes, '');
  await writeRoutes(routes, other.db, await subjectOf(other, email));
  const note = first.cookies.findLast((line) => line.startsWith('sign_in_home='));
  expect(readFileSync(routes, 'utf8')).toContain(`${/=(\w+);/.exec(note ?? '')?.[1]} cell1`);
  expect(await enter(other, person)).toMatchObject({ place: '/' });
});

test('the note of a home leads one sign-in, whatever becomes of it', async () => {
  const refused = await enter(other, newEmail(), 'sign_in_home=AB');
  expect(refused.place).toMatch(/^\/sign-in\?error=signup_disabled/);
  expect(names(refused.cookies.filter((line) => line.includes('Max-Age=0')))).toContain('sign_in_home');
});

test('a sign-in that was left in another cell leads no later one there, and ends no session', async () => {
  const begun = await home.send('POST', '/api/auth/sign-in/social', {
    headers: headersOf('cell1.state=left; __Secure-cell2.state=left; cell1.session_token=other'),
    body: { provider: 'github', callbackURL: '/', errorCallbackURL: '/sign-in' },
  });
  expectOk(begun);
  const ended = begun.headers.getSetCookie().filter((line) => line.includes('Max-Age=0'));
  expect(names(ended)).toEqual(['cell1.state', '__Secure-cell2.state']);
});

test('where sign-up is closed a provider creates no user', async () => {
  const email = newEmail();
  const refused = await enter(closed, email);
  expect(refused.place).toMatch(/^\/sign-in\?error=signup_disabled/);
  expect(names(refused.cookies)).not.toContain('better-auth.session_token');
  expect(await accountOf(closed, email)).toBe('');
});

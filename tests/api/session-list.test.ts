import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { cookieOf } from '../support/sign-up.ts';
import { type Answer, ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const auth = (path: string, body: unknown, cookie = ''): Promise<Answer> =>
  world.send('POST', `/api/auth/${path}`, { headers: { origin: ORIGIN, cookie }, body });
const signIn = (email: string, password: string) => auth('sign-in/email', { email, password });
const portfolio = (cookie: string) => world.send('GET', '/api/portfolio', { headers: { cookie } });
const ask = (cookie: string) =>
  world.send('GET', '/trpc/console.sessions?input=%7B%7D', { headers: { cookie } });

/** A refusal in the form of tRPC. */
const expectTold = ({ status, text }: Answer, wanted: number, code: string) =>
  expect([status, text]).toEqual([wanted, expect.stringContaining(`"code":"${code}"`)]);

type Listed = { id: string; isCurrent: boolean; address: string; agent: string };
const listed = async (cookie: string) =>
  ((await ask(cookie)).body as { result: { data: Listed[] } }).result.data;

test('the list shows where a person is signed in, and no token; one ends by its id, a stranger’s does not', async () => {
  const person = await world.signUp();
  const stranger = await world.signUp();
  const other = cookieOf(await signIn(person.email, person.password));
  const sessions = await listed(person.cookie);
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  expect(sessions[0]).toMatchObject({ address: '127.0.0.1', agent: expect.any(String) });
  const { rows } = await sql<{ token: string }>`select token from auth.session`.execute(world.db);
  const { text } = await ask(person.cookie);
  for (const { token } of rows) expect(text).not.toContain(token);

  const [id] = sessions.map((each) => each.id);
  expect((await auth('revoke-session', { id }, stranger.cookie)).status).toBe(200);
  expectOk(await portfolio(other));
  expect((await auth('revoke-session', { id }, person.cookie)).status).toBe(200);
  expectRefusal(await portfolio(other), 401);
  expectOk(await portfolio(person.cookie));
  expect((await auth('revoke-session', { id: { $ne: '' } }, person.cookie)).status).toBe(400);
});

test('all others end at once, and this one continues', async () => {
  const person = await world.signUp();
  const others = [
    cookieOf(await signIn(person.email, person.password)),
    cookieOf(await signIn(person.email, person.password)),
  ];
  expect((await auth('revoke-other-sessions', {}, person.cookie)).status).toBe(200);
  for (const other of others) expectRefusal(await portfolio(other), 401);
  expect(await listed(person.cookie)).toHaveLength(1);
});

test('a key sees no sessions and deletes no account', async () => {
  const { http } = await world.account();
  expectTold(await http('GET', '/trpc/console.sessions?input=%7B%7D'), 403, 'session_required');
  expectTold(
    await http('POST', '/trpc/console.leave', { password: 'a brand new password' }),
    403,
    'session_required',
  );
});

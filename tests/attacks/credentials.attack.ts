import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isToken, newToken } from '../../engine/trading/keys/token.ts';
import { bearer, sendRaw, withoutRequestId } from '../support/api.ts';
import type { Account, Answer } from '../support/world.ts';
import { type Fortress, openFortress, PAGE, PASSWORD, shortOrFull } from './support/fortress.ts';

let fortress: Fortress;
let account: Account;
beforeAll(async () => {
  fortress = await openFortress({ RATE_LIMITS: 'off', ROLE: 'api' });
  account = await fortress.account();
});
afterAll(() => fortress.close());

const PATH = '/api/risk-rules';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const read = (headers: string[], path = PATH): Promise<Answer> =>
  sendRaw(fortress.base, { method: 'GET', path, headers });
const authorized = (value: string) => read(['Authorization', value]);

test('S4: a key is accepted as a bearer token in one header, and nowhere else', async () => {
  const { key } = account;
  expect((await authorized(`bearer ${key}`)).status).toBe(200);
  const basic = Buffer.from(`${key}:`).toString('base64');
  for (const value of [
    key,
    'Bearer',
    `Basic ${basic}`,
    `Bearer  ${key}`,
    `Bearer "${key}"`,
    `Bearer ${key},x`,
  ])
    expect((await authorized(value)).status, value.slice(0, 12)).toBe(401);
  expect((await authorized(`Bearer ${'x'.repeat(10_000)}`)).status).toBe(401);
  for (const answer of [
    await read([]),
    await read(['Cookie', `key=${key}; Authorization=Bearer ${key}`]),
    await read(['X-Api-Key', key]),
    await read([], `${PATH}?access_token=${key}`),
  ]) {
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  }
});

/** Creates an expired key. */
async function ended(column: 'revoked_at' | 'expires_at'): Promise<string> {
  const { key, keyId } = await fortress.account();
  const at = new Date(Date.now() - 1_000);
  await fortress.db
    .updateTable('api_key')
    .set({ [column]: at })
    .where('id', '=', keyId)
    .execute();
  return key;
}

test('S5: a mistyped, unknown, revoked or expired key is refused with the same message', async () => {
  const mistyped = account.key.slice(0, -1) + (account.key.endsWith('0') ? '1' : '0');
  const keys = [mistyped, newToken(), await ended('revoked_at'), await ended('expires_at')];
  const answers = await Promise.all(keys.map((key) => authorized(`Bearer ${key}`)));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
});

test('S6: a key revoked or a session signed out by one process is refused by another at its next request', async () => {
  const other = await fortress.another();
  try {
    const { key, keyId, http } = await fortress.account();
    const { cookie } = await fortress.signIn();
    const there = async () => [
      (await fetch(other.base + PATH, { headers: bearer(key) })).status,
      (await fetch(other.base + PATH, { headers: { cookie } })).status,
    ];
    expect(await there()).toEqual([200, 200]);
    expect((await http('DELETE', `/api/api-keys/${keyId}`)).status).toBe(200);
    expect((await fortress.auth('sign-out', {}, { cookie })).status).toBe(200);
    expect(await there()).toEqual([401, 401]);
  } finally {
    await other.stop();
  }
});

test('S8: a session that is expired, signed out, changed or invented is refused', async () => {
  const { cookie, email } = await fortress.signIn();
  const withCookie = async (value: string) => (await read(['Cookie', value])).status;
  expect(await withCookie(cookie)).toBe(200);
  const [name = '', value = ''] = (
    cookie.split('; ').find((each) => each.includes('session_token')) ?? ''
  ).split('=');
  expect(name).toMatch(/^__Secure-/);
  const unsigned = decodeURIComponent(value).split('.')[0];
  for (const made of [`${name}=x${value}`, `${name}=${unsigned}`, `${name}=${unsigned}.AAAA`, `${name}=`])
    expect(await withCookie(made), made.slice(0, 40)).toBe(401);
  const none = [{ alg: 'none' }, { sub: email }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  expect((await authorized(`Bearer ${none.join('.')}.`)).status).toBe(401);
  await sql`update auth.session set "expiresAt" = now() - interval '1 second'
    where "userId" = (select id from auth."user" where email = ${email})`.execute(fortress.db);
  expect(await withCookie(cookie)).toBe(401);
});

test('S9: a request with two Authorization headers is refused', async () => {
  const good = `Bearer ${account.key}`;
  for (const second of [good, `Bearer ${newToken()}`, 'Basic eDp5'])
    expect([400, 401]).toContain((await read(['Authorization', good, 'Authorization', second])).status);
});

test('S30: a session of another site changes nothing, and a cookie is no fallback for a bad key', async () => {
  const { cookie } = await fortress.signIn();
  const before = await fortress.count('api_key');
  const make = (headers: Record<string, string>) =>
    fortress.send('POST', '/api/api-keys', {
      headers: { cookie, 'content-type': 'application/json', ...headers },
      raw: '{"name":"Stolen","scopes":["risk:read"]}',
    });
  for (const origin of ['https://evil.example', 'null', `${PAGE}.evil.example`, 'http://console.test'])
    expect((await make({ origin })).status, origin).toBe(403);
  expect((await make({})).status).toBe(403);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
    expect((await make({ origin: PAGE, 'content-type': type })).status, type).toBe(400);
  expect((await make({ origin: PAGE, ...bearer(newToken()) })).status).toBe(401);
  expect(await fortress.count('api_key')).toBe(before);
});

/** Student's t of two samples, for unequal variances. */
function welch(one: readonly number[], other: readonly number[]): number {
  const moments = (all: readonly number[]) => {
    const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
    const variance = all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (all.length - 1);
    return { mean, spread: variance / all.length };
  };
  const [a, b] = [moments(one), moments(other)];
  return Math.abs(a.mean - b.mean) / Math.sqrt(a.spread + b.spread);
}

/** The t of the times of two kinds of request, sent alternately; tried twice, because a busy machine may spoil the first. */
async function timeDifference(
  pairs: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<number> {
  const timed = async (ask: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await ask();
    return performance.now() - startedAt;
  };
  const compare = async () => {
    const [ones, others]: [number[], number[]] = [[], []];
    for (let n = 0; n < pairs; n++) {
      const isFirst = n % 2 === 0;
      if (isFirst) ones.push(await timed(one));
      others.push(await timed(other));
      if (!isFirst) ones.push(await timed(one));
    }
    return welch(ones, others);
  };
  const first = await compare();
  return first < 4 ? first : compare();
}

/** A body of 47 characters with its valid checksum: keys are base62 with a CRC32, which is no secret. */
function withChecksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < 6; index++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return body + text;
}

const refusedKey = async (key: string) => expect((await authorized(`Bearer ${key}`)).status).toBe(401);

/** A key with the first 30 characters of this one and a valid checksum, which only the database can refuse. */
function nearlyRight(key: string): string {
  const made = withChecksum(key.slice(0, 30) + newToken().slice(30, -6));
  expect(isToken(made)).toBe(true);
  return made;
}

test('S37: response times do not distinguish a nearly right key from other well-formed ones, or the kind of a malformed one', async () => {
  const pairs = shortOrFull(200, 5_000);
  const near = () => refusedKey(nearlyRight(account.key));
  const any = () => refusedKey(newToken());
  expect(await timeDifference(pairs, near, any)).toBeLessThan(4);
  // Keys that cost no statement: a prefix of a real key, or none.
  const mistyped = () => refusedKey(`${account.key.slice(0, 30)}${newToken().slice(30)}`);
  const odd = () => refusedKey(newToken().replace(/.$/, '-'));
  expect(await timeDifference(pairs, mistyped, odd)).toBeLessThan(4);
});

test('S37: neither time nor message reveals whether an e-mail has an account (in full 500 of each: a password costs 60 ms)', async () => {
  const known = await fortress.user();
  const guess = (email: string) => fortress.auth('sign-in/email', { email, password: `${PASSWORD}!` });
  const [right, wrong] = [await guess(known), await guess('nobody@example.com')];
  expect(right.status).toBe(401);
  expect(withoutRequestId(right)).toBe(withoutRequestId(wrong));
  const there = () => guess(known);
  const unknown = () => guess(`${randomUUID()}@example.com`);
  expect(await timeDifference(shortOrFull(25, 500), there, unknown)).toBeLessThan(4);
});

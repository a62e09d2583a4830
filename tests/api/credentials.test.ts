import { beforeAll, describe, expect, test } from 'vitest';
import { newToken } from '../../engine/trading/keys/token.ts';
import { restRoutes } from '../../openapi/routes.ts';
import {
  bearer,
  expectOk,
  expectRefusal,
  pathOf,
  sendRaw,
  titleOf,
  withoutRequestId,
} from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';
const guarded = restRoutes.filter(({ open }) => !open);

const world = openedForFile(openWorld);
let account: Account;
let revoked: string;
let expired: string;

beforeAll(async () => {
  account = await world.account();
  revoked = await keyEndedBy('revoked_at');
  expired = await keyEndedBy('expires_at');
});

/** A key of its own account that ended a second ago. */
async function keyEndedBy(column: 'revoked_at' | 'expires_at'): Promise<string> {
  const { key, keyId } = await world.account();
  await world.db
    .updateTable('api_key')
    .set({ [column]: new Date(Date.now() - 1_000) })
    .where('id', '=', keyId)
    .execute();
  return key;
}

const flipLast = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

describe('401 before any other check', () => {
  test.each(guarded.map((route) => [titleOf(route), route] as const))(
    '401: %s without a key, and with a bad, unknown, revoked or expired one',
    async (_title, { method, path }) => {
      const url = pathOf({ path }, MISSING);
      expectRefusal(await world.send(method, url), 401, 'credentials_missing');
      const bad = ['tsk_short', flipLast(account.key), newToken(), revoked, expired];
      const bodies = new Set<string>();
      for (const key of bad) {
        const answer = await world.send(method, url, { headers: bearer(key) });
        expectRefusal(answer, 401, 'credentials_invalid');
        expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
        bodies.add(withoutRequestId(answer));
      }
      expect(bodies.size).toBe(1);
    },
  );

  test.each(guarded.map((route) => [titleOf(route), route] as const))(
    '401: %s reveals nothing of a broken body, a bad id, a wrong media type or an unknown parameter',
    async (_title, { method, path }) => {
      const url = `${pathOf({ path }, 'no-uuid')}?unknown=%zz`;
      const headers = ['Content-Type', 'text/plain', 'Authorization', `Bearer ${revoked}`, 'If-Match', 'x'];
      const answer = await sendRaw(world.base, { method, path: url, headers, body: '{broken' });
      expectRefusal(answer, 401, 'credentials_invalid');
    },
  );
});

const reads = () => world.send('GET', '/api/risk-rules');

describe('how a key is sent', () => {
  test('a key is accepted whatever the case of the scheme is', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${account.key}` };
      expectOk(await world.send('GET', '/api/risk-rules', { headers }));
    }
  });

  test.each([
    ['a key without a scheme', (key: string) => key],
    ['the Basic scheme', (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['a scheme without a key', () => 'Bearer'],
    ['two spaces', (key: string) => `Bearer  ${key}`],
    ['a quoted key', (key: string) => `Bearer "${key}"`],
    ['two keys', (key: string) => `Bearer ${key}, Bearer ${key}`],
    ['a key of 10 KB', () => `Bearer tsk_${'a'.repeat(10_000)}`],
    ['a hash of a key', (key: string) => `Bearer ${key.toUpperCase()}`],
  ])('401: %s in the Authorization header', async (_what, authorization) => {
    const headers = { authorization: authorization(account.key) };
    expectRefusal(await world.send('GET', '/api/risk-rules', { headers }), 401, 'credentials_invalid');
  });

  test('401: a key in the query string, in a cookie or in another header is ignored', async () => {
    const { key } = account;
    for (const name of ['api_key', 'key', 'token', 'access_token', 'authorization']) {
      const answer = await world.send('GET', `/api/risk-rules?${name}=${key}`);
      expectRefusal(answer, 401, 'credentials_missing');
    }
    for (const headers of [{ cookie: `key=${key}` }, { 'x-api-key': key }, { 'proxy-authorization': key }]) {
      expectRefusal(await world.send('GET', '/api/risk-rules', { headers }), 401, 'credentials_missing');
    }
  });

  test('401: two Authorization headers are refused, even of one good key', async () => {
    const good = `Bearer ${account.key}`;
    for (const pair of [
      [good, good],
      [good, 'Bearer x'],
      ['Bearer x', good],
    ]) {
      const headers = pair.flatMap((value) => ['Authorization', value]);
      const answer = await sendRaw(world.base, { method: 'GET', path: '/api/risk-rules', headers });
      expectRefusal(answer, 401, 'credentials_invalid');
    }
  });

  test('a key expires by the clock of the database at its exact end', async () => {
    const { key, keyId } = await world.account();
    expectOk(await world.send('GET', '/api/risk-rules', { headers: bearer(key) }));
    await world.db.updateTable('api_key').set({ expires_at: new Date() }).where('id', '=', keyId).execute();
    const answer = await world.send('GET', '/api/risk-rules', { headers: bearer(key) });
    expectRefusal(answer, 401, 'credentials_invalid');
  });

  test('a route without credentials ignores bad ones', async () => {
    for (const path of ['/health', '/api/health', '/health/ready', '/openapi.json', '/docs/']) {
      const { status } = await world.send('GET', path, { headers: bearer(revoked) });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    expectRefusal(await reads(), 401);
  });
});

import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../engine/trading/keys/token.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Answer, ORIGIN, openWorld } from '../support/world.ts';

type Created = {
  id: string;
  key: string;
  name: string;
  scopes: string[];
  expiresAt: string | null;
  createdAt: string;
};
type Metadata = Omit<Created, 'key'> & {
  start: string;
  last4: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

const DAY_MS = 86_400_000;

const world = openedForFile(openWorld);
let cookie: string;

beforeAll(async () => {
  cookie = (await world.signUp()).cookie;
});

const bySession = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  world.send(method, path, {
    headers: { cookie, origin: ORIGIN, ...headers },
    ...(body !== undefined && { body }),
  });

async function create(more: object = {}): Promise<Created> {
  const body = { name: 'Bot', scopes: ['orders:read', 'risk:read'], ...more };
  return expectOk(await bySession('POST', '/api/api-keys', body)) as Created;
}

const list = async () => expectOk(await bySession('GET', '/api/api-keys')) as Metadata[];
const read = (key: string) => world.send('GET', '/api/risk-rules', { headers: bearer(key) });

describe('a new key', () => {
  test('it is tsk_, 43 characters of randomness and 6 of CRC32, in base62', async () => {
    const { key } = await create();
    expect(key).toMatch(/^tsk_[0-9A-Za-z]{49}$/);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
  });

  test('it returns exactly id, key, name, scopes, expiresAt and createdAt, and must not be cached', async () => {
    const answer = await bySession('POST', '/api/api-keys', { name: ' Bot ', scopes: ['orders:read'] });
    const created = expectOk(answer) as Created;
    expect(Object.keys(created).sort()).toEqual(['createdAt', 'expiresAt', 'id', 'key', 'name', 'scopes']);
    expect(created).toMatchObject({ name: 'Bot', scopes: ['orders:read'] });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('only its SHA-256 is stored: the key itself is nowhere in the database', async () => {
    const { id, key } = await create();
    const row = await world.db
      .selectFrom('api_key')
      .select('token_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(row.token_hash)).toEqual(hashToken(key));
    const { rows: tables } = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'`.execute(world.db);
    for (const { name } of tables) {
      const { rows } =
        await sql`select 1 from ${sql.table(name)} as t where position(${key.slice(4)} in t::text) > 0`.execute(
          world.db,
        );
      expect(rows, name).toEqual([]);
    }
  });

  test('the secret is shown once: lists show metadata only', async () => {
    const { id, key } = await create();
    const answer = await bySession('GET', '/api/api-keys');
    expect(answer.text).not.toContain(key.slice(8, -4));
    const mine = (answer.body as Metadata[]).find((each) => each.id === id);
    expect(Object.keys(mine ?? {}).sort()).toEqual(
      ['createdAt', 'expiresAt', 'id', 'last4', 'lastUsedAt', 'name', 'revokedAt', 'scopes', 'start'].sort(),
    );
    expect(mine).toMatchObject({
      start: key.slice(0, 8),
      last4: key.slice(-4),
      revokedAt: null,
      lastUsedAt: null,
    });
  });

  test('400: no scopes, an unknown one, one twice, or none given', async () => {
    for (const scopes of [
      [],
      ['orders'],
      ['orders:*'],
      ['*'],
      ['ORDERS:READ'],
      ['orders:read', 'orders:read'],
      'orders:read',
      null,
    ]) {
      const answer = await bySession('POST', '/api/api-keys', { name: 'x', scopes });
      const { issues } = expectRefusal(answer, 400, 'validation_failed');
      expect(issues[0]?.path).toMatch(/^\/scopes/);
    }
    expectRefusal(await bySession('POST', '/api/api-keys', { name: 'x' }), 400, 'validation_failed');
  });

  test('it lives 90 days unless specified otherwise; null is for ever', async () => {
    const { expiresAt, createdAt } = await create();
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(90 * DAY_MS);
    expect((await create({ expiresAt: null })).expiresAt).toBeNull();
    const inAYear = new Date(Date.now() + 365 * DAY_MS).toISOString();
    expect((await create({ expiresAt: inAYear })).expiresAt).toBe(inAYear);
    const withOffset = inAYear.replace('Z', '+00:00');
    expect((await create({ expiresAt: withOffset })).expiresAt).toBe(inAYear);
  });

  test('400: an expiry in the past, over 366 days away, or not an instant', async () => {
    const far = new Date(Date.now() + 367 * DAY_MS).toISOString();
    const past = new Date(Date.now() - 1_000).toISOString();
    for (const expiresAt of [
      past,
      far,
      '9999-12-31T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2027-01-01',
      'never',
      '',
      0,
      1e12,
      true,
    ]) {
      const answer = await bySession('POST', '/api/api-keys', {
        name: 'x',
        scopes: ['orders:read'],
        expiresAt,
      });
      const { issues } = expectRefusal(answer, 400, 'validation_failed');
      expect(issues[0]?.path).toBe('/expiresAt');
    }
  });

  test('403 session_required: a key cannot make or rotate a key, whatever it holds', async () => {
    const { key, id } = await create({ scopes: [...SCOPE_NAMES] });
    for (const path of ['/api/api-keys', `/api/api-keys/${id}/rotate`]) {
      const answer = await world.send('POST', path, {
        headers: bearer(key),
        body: { name: 'x', scopes: ['orders:read'] },
      });
      expectRefusal(answer, 403, 'session_required');
    }
  });

  test('403 quota_exceeded: more than 100 live keys of one account', async () => {
    const user = await world.signUp();
    const headers = { cookie: user.cookie, origin: ORIGIN };
    const body = { name: 'x', scopes: ['orders:read'] };
    const first = expectOk(await world.send('POST', '/api/api-keys', { headers, body })) as Created;
    const { account_id } = await world.db
      .selectFrom('api_key')
      .select('account_id')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    await sql`with made as (
        insert into api_key (account_id, id, name, token_hash, start, last4, scopes, created_at)
        select ${account_id}::uuid, gen_random_uuid(), 'x', sha256(n::text::bytea), 'tsk_xxxx', 'xxxx', '{risk:read}', now()
        from generate_series(1, 98) n returning account_id, id, created_at)
      insert into audit_event (account_id, id, at, actor, action, subject_id, after)
      select account_id, gen_random_uuid(), created_at, 'session:tester', 'api_key.created', id,
        '{"scopes": ["risk:read"], "expiresAt": null}' from made`.execute(world.db);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => world.send('POST', '/api/api-keys', { headers, body })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    const refused = outcomes.find(({ status }) => status === 403);
    if (refused) expect(expectRefusal(refused, 403, 'quota_exceeded').message).toContain('100');
    expectOk(await world.send('DELETE', `/api/api-keys/${first.id}`, { headers }));
    expectOk(await world.send('POST', '/api/api-keys', { headers, body }));
  });
});

describe('listing', () => {
  test('keys are listed newest first, revoked ones too', async () => {
    const [older, newer] = [await create({ name: 'older' }), await create({ name: 'newer' })];
    expectOk(await bySession('DELETE', `/api/api-keys/${older.id}`));
    const keys = await list();
    const at = (id: string) => keys.findIndex((key) => key.id === id);
    expect(at(newer.id)).toBeLessThan(at(older.id));
    expect(keys[at(older.id)]?.revokedAt).toMatch(/Z$/);
  });

  test('a key with api_keys:write lists and revokes, one without does neither', async () => {
    const { key } = await create({ scopes: ['api_keys:write'] });
    const { id } = await create();
    expect(expectOk(await world.send('GET', '/api/api-keys', { headers: bearer(key) }))).toEqual(
      await list(),
    );
    expect(expectOk(await world.send('DELETE', `/api/api-keys/${id}`, { headers: bearer(key) }))).toEqual({
      revoked: true,
    });
  });

  test('the last use of a key is listed to the minute, once a minute has stored it', async () => {
    const { id, key } = await create();
    const other = await world.another();
    try {
      const headers = bearer(key);
      expect(
        (await fetch(`http://127.0.0.1:${other.address?.port}/api/risk-rules`, { headers })).status,
      ).toBe(200);
    } finally {
      await other.stop();
    }
    const lastUsedAt = (await list()).find((each) => each.id === id)?.lastUsedAt ?? '';
    expect(lastUsedAt).toMatch(/T\d\d:\d\d:00\.000Z$/);
    expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(2 * 60_000);
  });
});

describe('revoking', () => {
  test('the very next request with the key is refused, here and in another process', async () => {
    const { id, key } = await create();
    const other = await world.another();
    try {
      const there = async () =>
        (await fetch(`http://127.0.0.1:${other.address?.port}/api/risk-rules`, { headers: bearer(key) }))
          .status;
      expect(await there()).toBe(200);
      expectOk(await read(key));
      expect(expectOk(await bySession('DELETE', `/api/api-keys/${id}`))).toEqual({ revoked: true });
      expect(await there()).toBe(401);
      expectRefusal(await read(key), 401, 'credentials_invalid');
    } finally {
      await other.stop();
    }
  });

  test('revoking again changes nothing and succeeds, ten times at once too', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bySession('DELETE', `/api/api-keys/${id}`)),
    );
    for (const answer of answers) expect(expectOk(answer)).toEqual({ revoked: true });
    expect(await auditOf(id)).toMatchObject([{ action: 'api_key.created' }, { action: 'api_key.revoked' }]);
  });

  test('a key may revoke itself', async () => {
    const { id, key } = await create({ scopes: ['api_keys:write'] });
    expectOk(await world.send('DELETE', `/api/api-keys/${id}`, { headers: bearer(key) }));
    expectRefusal(await world.send('DELETE', `/api/api-keys/${id}`, { headers: bearer(key) }), 401);
  });

  test('the audit trail records the creator and the revoker of a key, with the request, without the secret', async () => {
    const { id, key } = await create();
    const { id: otherId, key: revoker } = await create({ scopes: ['api_keys:write'] });
    const headers = { ...bearer(revoker), 'x-request-id': 'revoked-by-test' };
    expectOk(await world.send('DELETE', `/api/api-keys/${id}`, { headers }));
    const rows = await auditOf(id);
    expect(rows).toMatchObject([
      { action: 'api_key.created', actor: expect.stringMatching(/^session:/), before: null },
      { action: 'api_key.revoked', actor: `key:${otherId}`, request_id: 'revoked-by-test' },
    ]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(8, -4));
  });
});

describe('rotating', () => {
  const rotate = (id: string, body?: object) => bySession('POST', `/api/api-keys/${id}/rotate`, body);

  test('it returns a new secret with the same name, scopes and expiry; the old one ends at once', async () => {
    const old = await create({ scopes: ['risk:read'] });
    const { key, id, ...rest } = expectOk(await rotate(old.id)) as Created;
    expect(key).not.toBe(old.key);
    expect(id).not.toBe(old.id);
    expect(rest).toMatchObject({ name: old.name, scopes: old.scopes, expiresAt: old.expiresAt });
    expectOk(await read(key));
    expectRefusal(await read(old.key), 401, 'credentials_invalid');
  });

  test('within its grace the old one works too, and never beyond its own expiry', async () => {
    const old = await create({ scopes: ['risk:read'] });
    expectOk(await rotate(old.id, { graceSec: 60 }));
    expectOk(await read(old.key));
    const soon = new Date(Date.now() + 60_000).toISOString();
    const short = await create({ scopes: ['risk:read'], expiresAt: soon });
    expectOk(await rotate(short.id, { graceSec: 604_800 }));
    expect((await list()).find(({ id }) => id === short.id)?.expiresAt).toBe(soon);
  });

  test('of two at once one succeeds, and a revoked key is not rotated', async () => {
    const { id } = await create();
    const answers = await Promise.all([rotate(id), rotate(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const { id: revoked } = await create();
    expectOk(await bySession('DELETE', `/api/api-keys/${revoked}`));
    expectRefusal(await rotate(revoked), 403, 'invalid_state');
  });

  test('400: a grace of more than a week', async () => {
    const { id } = await create();
    for (const graceSec of [-1, 0.5, 604_801, '60', null]) {
      expect(expectRefusal(await rotate(id, { graceSec }), 400).issues[0]?.path).toBe('/graceSec');
    }
  });
});

const auditOf = (id: string) =>
  world.db
    .selectFrom('audit_event')
    .selectAll()
    .where('subject_id', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute();

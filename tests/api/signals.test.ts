import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemWork } from '../../engine/platform/context.ts';
import { messageOf } from '../../engine/usecases/signals/message.ts';
import { readRecordedSignals } from '../../engine/usecases/signals/read.ts';
import { receiveSignal } from '../../engine/usecases/signals/receive.ts';
import { createSignal, SIGNALS_MAX } from '../../engine/usecases/signals/signals.ts';
import { bearer, credentialsLookedUp, expectOk, expectRefusal, withoutRequestId } from '../support/api.ts';
import { openSocket } from '../support/sockets.ts';
import { type Account, ORIGIN, openWorld, type World } from '../support/world.ts';

let world: World;
let account: Account;
let other: Account;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  account = await world.account();
  other = await world.account();
});

const tokenOf = async (name = 'tv'): Promise<string> => {
  const created = expectOk(await account.http('POST', '/api/signals', { name })) as { token: string };
  return created.token;
};
const hook = (
  token: string,
  raw: string,
  headers: Record<string, string> = { 'content-type': 'text/plain' },
) => world.send('POST', `/hooks/signal?token=${token}`, { headers, raw });
const valuesOf = async ({ accountId, work }: Account, name = 'tv') => {
  const [recorded] = await readRecordedSignals(work.db, accountId, {
    names: [name],
    fromMs: 0,
    toMs: Date.parse('9999-01-01'),
  });
  return recorded?.values.map(({ value }) => value);
};

const isCutFrom = async ({ accountId, work }: Account, fromMs: number) => {
  const options = { names: ['tv'], fromMs, toMs: Date.parse('9999-01-01') };
  return (await readRecordedSignals(work.db, accountId, options))[0]?.isCut;
};

test('a token that is rotated while the body of a message arrives writes nothing', async () => {
  const token = await tokenOf();
  const body = JSON.stringify({ value: 1 });
  const head = `POST /hooks/signal?token=${token} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}`;
  const begun = await openSocket(world.base, { send: `${head}\r\n\r\n${body.slice(0, 5)}` });
  await credentialsLookedUp(world);
  expectOk(await account.http('POST', '/api/signals/tv/rotate-token'));
  begun.socket.write(body.slice(5));
  await begun.closed;
  expect(begun.received).toMatch(/^HTTP\/1\.1 401 /);
  expect(await valuesOf(account)).toEqual([]);
});

test('a backtest learns where older values were deleted, unless a value from before its beginning is left', async () => {
  await tokenOf();
  for (const value of [1, 2, 3]) expectOk(await account.http('POST', '/api/signals/tv', { value }));
  expect(await isCutFrom(account, 0)).toBe(false);
  await sql`delete from signal_value where account_id = ${account.accountId} and number = 1`.execute(
    world.db,
  );
  expect(await isCutFrom(account, 0)).toBe(true);
  expect(await isCutFrom(account, Date.now() + 60_000)).toBe(false);
  const ended = { names: ['tv', 'silent'], fromMs: 0, toMs: Date.now() - 3_600_000 };
  await tokenOf('silent');
  expect(await readRecordedSignals(account.work.db, account.accountId, ended)).toMatchObject([
    { values: [], isCut: true },
    { values: [], isCut: false },
  ]);
  await sql`delete from signal_value where account_id = ${account.accountId}`.execute(world.db);
  expect(await isCutFrom(account, 0)).toBe(true);
});

describe('a keyed sender', () => {
  test('sends numbers and conditions, listed with the newest value', async () => {
    await tokenOf();
    expect(expectOk(await account.http('POST', '/api/signals/tv', { value: 2.5 }))).toMatchObject({
      received: true,
      duplicate: false,
      value: 2.5,
    });
    expectOk(await account.http('POST', '/api/signals/tv', { value: false }));
    expect(expectOk(await account.http('GET', '/api/signals'))).toMatchObject([
      { name: 'tv', mode: 'paper', received: 2, lastValue: 0 },
    ]);
    expect(await valuesOf(account)).toEqual([2.5, 0]);
  });

  test('a message counts once: by its id for good, by its Idempotency-Key, else by its value within 30 seconds', async () => {
    await tokenOf();
    const send = (body: object, headers = {}) => account.http('POST', '/api/signals/tv', body, headers);
    expect(expectOk(await send({ value: 1, id: 'a' }))).toMatchObject({ duplicate: false });
    await sql`update signal_value set at = at - interval '1 hour'`.execute(world.db);
    expect(expectOk(await send({ value: 2, id: 'a' }))).toMatchObject({ duplicate: true, value: 1 });
    expect(expectOk(await send({ value: 3 }))).toMatchObject({ duplicate: false });
    expect(expectOk(await send({ value: 3 }))).toMatchObject({ duplicate: true });
    await sql`update signal_value set at = at - interval '31 seconds'`.execute(world.db);
    expect(expectOk(await send({ value: 3 }))).toMatchObject({ duplicate: false });
    const key = { 'idempotency-key': 'k1' };
    const first = expectOk(await send({ value: 4 }, key));
    expect(expectOk(await send({ value: 4 }, key))).toEqual(first);
    expect(await valuesOf(account)).toEqual([1, 3, 3, 4]);
  });

  test('404: another account’s signal answers exactly as a missing one, and a token writes its own account only', async () => {
    const token = await tokenOf();
    const theirs = await other.http('POST', '/api/signals/tv', { value: 1 });
    const missing = await other.http('POST', '/api/signals/none', { value: 1 });
    expectRefusal(theirs, 404);
    expect(withoutRequestId(theirs)).toBe(withoutRequestId(missing));
    expectRefusal(await other.http('DELETE', '/api/signals/tv'), 404);
    expectRefusal(await other.http('POST', '/api/signals/tv/rotate-token', {}), 404);
    expectOk(await hook(token, 'buy'));
    expect(expectOk(await other.http('GET', '/api/signals'))).toEqual([]);
    expect(await valuesOf(account)).toEqual([1]);
  });

  test('400: a value that is no number or condition, or out of range, with what may be sent', async () => {
    await tokenOf();
    const refused = async (value: unknown) =>
      expectRefusal(await account.http('POST', '/api/signals/tv', { value }), 400, 'validation_failed')
        .message;
    for (const value of ['1', null, [1]])
      expect(await refused(value)).toContain('at /value: takes a number, or true or false');
    expect(await refused(undefined)).toContain('at /value: is missing');
    expect(await refused(1e16)).toContain('is out of range');
  });
});

describe('what a signal takes', () => {
  const add = (range: object) => account.http('POST', '/api/signals', { name: 'tv', ...range });
  const send = (value: unknown) => account.http('POST', '/api/signals/tv', { value });
  const refusalOf = async (answer: ReturnType<typeof send>) =>
    expectRefusal(await answer, 400, 'validation_failed').message;

  test('400: a value out of its range, by key and by token, with value, range and remedy; nothing is stored', async () => {
    const { token } = expectOk(await add({ min: 0, max: 1 })) as { token: string };
    for (const value of [1.01, -0.5, 1e12])
      expect(await refusalOf(send(value))).toBe(
        `The signal tv takes values from 0 to 1; ${value} was sent. Send a value in that range, or change the signal’s range.`,
      );
    expect(await refusalOf(hook(token, '62000'))).toContain('takes values from 0 to 1; 62000 was sent');
    for (const value of [0, 1, 0.5]) expectOk(await send(value));
    expect(await valuesOf(account)).toEqual([0, 1, 0.5]);
  });

  test('a boolean takes true and false by any way of writing them, and no other number', async () => {
    const { token } = expectOk(await add({ kind: 'boolean' })) as { token: string };
    expect(await refusalOf(send(0.5))).toContain('takes true and false (1 and 0); 0.5 was sent');
    expect(await refusalOf(hook(token, '2'))).toContain('2 was sent');
    for (const value of [true, 0]) expectOk(await send(value));
    expectOk(await hook(token, 'Buy now'));
    expect(await valuesOf(account)).toEqual([1, 0, 1]);
  });

  test('400: a range that no value is in, and bounds of a boolean', async () => {
    expect(await refusalOf(add({ min: 2, max: 1 }))).toContain('The min of 2 is above the max of 1');
    expect(await refusalOf(add({ kind: 'boolean', min: 0 }))).toContain('has no min and no max');
    expect(await refusalOf(add({ max: 1e300 }))).toContain('/max');
    expect(expectOk(await account.http('GET', '/api/signals'))).toEqual([]);
  });

  test('a changed range holds from then on; what is not named stays, and a repetition of an earlier value is known', async () => {
    expectOk(await add({ min: 0 }));
    expectOk(await account.http('POST', '/api/signals/tv', { value: 70, id: 'a' }));
    const change = (body: object) => account.http('PATCH', '/api/signals/tv', body);
    expect(expectOk(await change({ max: 50 }))).toMatchObject({
      kind: 'number',
      min: 0,
      max: 50,
      lastValue: 70,
    });
    expect(await refusalOf(send(70))).toContain('takes values from 0 to 50');
    expect(expectOk(await account.http('POST', '/api/signals/tv', { value: 70, id: 'a' }))).toMatchObject({
      duplicate: true,
    });
    expect(await refusalOf(change({ max: -1 }))).toContain('The min of 0 is above the max of -1');
    expect(expectOk(await change({ min: null }))).toMatchObject({ min: null, max: 50 });
    expect(expectOk(await change({ kind: 'boolean' }))).toMatchObject({
      kind: 'boolean',
      min: null,
      max: null,
    });
    expectRefusal(await other.http('PATCH', '/api/signals/tv', { max: 1 }), 404);
  });
});

test('each value is stored with its sender: a key, a person or the token; one by a person is in the audit trail', async () => {
  const token = await tokenOf();
  const lastSender = async () =>
    (expectOk(await account.http('GET', '/api/signals')) as { lastSender: string | null }[])[0]?.lastSender;
  expect(await lastSender()).toBeNull();
  expectOk(await account.http('POST', '/api/signals/tv', { value: 1 }));
  expect(await lastSender()).toMatch(/^key:[0-9a-f-]{36}$/);
  expectOk(await hook(token, 'off'));
  expect(await lastSender()).toBe('signal:tv');
  const person = { ...account.work, actor: 'session:4f0c' };
  await receiveSignal(person, 'tv', messageOf(3, null, '3'));
  expect(await lastSender()).toBe('session:4f0c');
  const stored = await world.db
    .selectFrom('signal_value')
    .select('sender')
    .where('account_id', '=', account.accountId)
    .orderBy('number')
    .execute();
  expect(stored.map(({ sender }) => sender?.split(':')[0])).toEqual(['key', 'signal', 'session']);
  const noted = await world.db
    .selectFrom('audit_event')
    .select(['actor', 'before', 'after'])
    .where('account_id', '=', account.accountId)
    .where('action', '=', 'signal.set')
    .execute();
  expect(noted).toEqual([
    { actor: 'session:4f0c', before: { name: 'tv', value: 0 }, after: { name: 'tv', value: 3 } },
  ]);
});

describe('a sender without headers', () => {
  test('is admitted by the token in the address, with text or JSON as a chart service sends them', async () => {
    const token = await tokenOf();
    expect(expectOk(await hook(token, 'BTCUSD Crossing 62,000.00'))).toMatchObject({ value: 1 });
    const json = { 'content-type': 'application/json; charset=utf-8' };
    expect(expectOk(await hook(token, '{"ticker":"BTCUSD","value":"61.5"}', json))).toMatchObject({
      value: 61.5,
    });
    expect(expectOk(await hook(token, '{"ticker":"BTCUSD","value":"61.5"}', json))).toMatchObject({
      duplicate: true,
    });
    expectRefusal(await hook(token, '{"value":"buy"}', json), 400, 'validation_failed');
    expect(await valuesOf(account)).toEqual([1, 61.5]);
  });

  test('401: a token that was rotated, removed or invented, and none; nothing is stored', async () => {
    const former = await tokenOf();
    const rotated = expectOk(await account.http('POST', '/api/signals/tv/rotate-token', {})) as {
      token: string;
    };
    for (const token of [former, 'tsig_', 'x', ''])
      expectRefusal(await hook(token, 'buy'), 401, 'credentials_invalid');
    expectOk(await hook(rotated.token, 'buy'));
    expectOk(await account.http('DELETE', '/api/signals/tv'));
    expectRefusal(await hook(rotated.token, 'buy'), 401, 'credentials_invalid');
  });

  test('off, on, off within 30 seconds are three messages; an empty Idempotency-Key names none', async () => {
    const token = await tokenOf();
    for (const raw of ['false', 'true', 'false'])
      expect(expectOk(await hook(token, raw))).toMatchObject({ duplicate: false });
    expect(expectOk(await hook(token, 'false'))).toMatchObject({ duplicate: true });
    const unnamed = { 'content-type': 'text/plain', 'idempotency-key': '' };
    for (const raw of ['3', '4'])
      expect(expectOk(await hook(token, raw, unnamed))).toMatchObject({ duplicate: false });
    expect(await valuesOf(account)).toEqual([0, 1, 0, 3, 4]);
  });

  test('400: a body of more than 16 KiB, or not UTF-8', async () => {
    const token = await tokenOf();
    expectRefusal(await hook(token, 'x'.repeat(16 * 1_024 + 1)), 400, 'payload_too_large');
    const sent = { headers: { 'content-type': 'text/plain' }, raw: new Uint8Array([0xff, 0xfe]) };
    expectRefusal(await world.send('POST', `/hooks/signal?token=${token}`, sent), 400, 'malformed_json');
  });

  test('the token is stored as a hash, and is in no log line', async () => {
    const token = await tokenOf();
    expectOk(await hook(token, 'buy'));
    const { rows } = await sql<{ found: boolean }>`
      select bool_or(s::text like ${`%${token}%`}) as found from signal s`.execute(world.db);
    expect(rows).toEqual([{ found: false }]);
    expect(world.logged.join('')).not.toContain(token);
  });
});

describe('bounds', () => {
  test('429: the 61st value of a minute, with the time to wait', async () => {
    await tokenOf();
    await sql`insert into signal_value (account_id, name, number, at, value, message_key)
      select ${account.accountId}, 'tv', n, clock_timestamp() - interval '10 seconds', n, n::text
      from generate_series(1, 60) as n`.execute(world.db);
    const refused = await account.http('POST', '/api/signals/tv', { value: 7 });
    expectRefusal(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(40);
  });

  test(`403: more than ${SIGNALS_MAX} signals, and a name that is taken`, async () => {
    for (let each = 0; each < SIGNALS_MAX; each++) await createSignal(account.work, `s${each}`);
    expectRefusal(await account.http('POST', '/api/signals', { name: 'more' }), 403, 'quota_exceeded');
    expectRefusal(await account.http('POST', '/api/signals', { name: 's1' }), 403, 'invalid_state');
  });

  test('the oldest values are deleted beyond ten thousand', async () => {
    await tokenOf();
    await sql`insert into signal_value (account_id, name, number, at, value, message_key)
      select ${account.accountId}, 'tv', n, clock_timestamp() - interval '1 day', n, n::text
      from generate_series(1, 10000) as n`.execute(world.db);
    await sql`update signal set received = 10000 where account_id = ${account.accountId}`.execute(world.db);
    expectOk(await account.http('POST', '/api/signals/tv', { value: 7 }));
    const { rows } = await sql<{ oldest: string; count: string }>`
      select min(number) as oldest, count(*) from signal_value where account_id = ${account.accountId}`.execute(
      world.db,
    );
    expect(rows).toEqual([{ oldest: '2', count: '10000' }]);
  });
});

test('403: a paper key neither sends to a signal of live mode nor changes it', async () => {
  const live = systemWork(world.pool, { accountId: account.accountId, mode: 'live' });
  await createSignal(live, 'real');
  expectRefusal(await account.http('POST', '/api/signals/real', { value: 1 }), 403, 'invalid_state');
  expectRefusal(await account.http('POST', '/api/signals/real/rotate-token', {}), 403, 'invalid_state');
  expectRefusal(await account.http('DELETE', '/api/signals/real'), 403, 'invalid_state');
});

test('each change is in the audit trail, without the token', async () => {
  const token = await tokenOf();
  expectOk(await account.http('DELETE', '/api/signals/tv'));
  const { rows } = await sql<{ action: string }>`select action, after from audit_event
    where account_id = ${account.accountId} and action like 'signal.%' order by at`.execute(world.db);
  expect(rows.map(({ action }) => action)).toEqual(['signal.created', 'signal.removed']);
  expect(JSON.stringify(rows)).not.toContain(token);
});

describe('the token of a signal', () => {
  test('ends with the revocation of the key that was shown it, also after a rotation of that key', async () => {
    const { cookie } = await world.signUp();
    const headers = { cookie, origin: ORIGIN };
    const bySession = (method: string, path: string, body: object = {}) =>
      world.send(method, path, { headers, body });
    const scopes = ['signals:write', 'signals:read'];
    const { id, key } = expectOk(await bySession('POST', '/api/api-keys', { name: 'Sender', scopes })) as {
      id: string;
      key: string;
    };
    const create = (headers: Record<string, string>, name: string) =>
      world.send('POST', '/api/signals', { headers, body: { name } });
    const { token } = expectOk(await create(bearer(key), 'by-key')) as { token: string };
    const { token: kept } = expectOk(await create(headers, 'by-session')) as { token: string };
    const rotated = expectOk(await bySession('POST', `/api/api-keys/${id}/rotate`)) as { id: string };
    expectOk(await hook(token, '1'));

    expectOk(await world.send('DELETE', `/api/api-keys/${rotated.id}`, { headers }));
    expectRefusal(await hook(token, '2'), 401, 'credentials_invalid');
    expectOk(await hook(kept, '1'));
    const renewed = expectOk(await bySession('POST', '/api/signals/by-key/rotate-token')) as {
      token: string;
    };
    expectOk(await hook(renewed.token, '3'));
  });
});

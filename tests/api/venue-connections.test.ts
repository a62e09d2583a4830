import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Answer, ORIGIN, openWorld, type World } from '../support/world.ts';

type Connection = {
  id: string;
  state: string;
  stateCode: string | null;
  keyHint: string;
  maxOrder: number | null;
  maxDay: number | null;
  label: string;
  checkRequestedAt: string | null;
};

/** As in `world.signUp`. */
const PASSWORD = 'correct horse battery';
const API_KEY = `apiKeyOfTheTests${'0'.repeat(30)}x3Kq`;
const API_SECRET = 'theSecretNobodyMaySeeAgain0123456789';
const { privateKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const world = openedForFile(openWorld);
let cookie: string;

beforeAll(async () => {
  cookie = (await world.signUp()).cookie;
});

const bySession = (method: string, path: string, body?: unknown, who = cookie): Promise<Answer> =>
  world.send(method, path, {
    headers: { cookie: who, origin: ORIGIN },
    ...(body !== undefined && { body }),
  });

const binance = (more: object = {}) => ({
  venue: 'crypto',
  environment: 'testnet',
  label: 'Small',
  credentials: { apiKey: API_KEY, secret: API_SECRET },
  password: PASSWORD,
  ...more,
});

const PATH = '/api/venue-connections';
const connect = (more: object = {}) => bySession('POST', PATH, binance(more));
const connected = async (more: object = {}) => expectOk(await connect(more)) as Connection;
const act = (id: string, what: string, body?: unknown) => bySession('POST', `${PATH}/${id}/${what}`, body);

describe('a new connection', () => {
  test('it is unverified, waits for its checks, and shows only the end of the key', async () => {
    const answer = await connect({ maxOrder: 25 });
    expect(expectOk(answer)).toMatchObject({
      state: 'unverified',
      stateCode: 'not_checked',
      keyHint: 'x3Kq',
      maxOrder: 25,
      maxDay: null,
      checks: [],
      checkRequestedAt: expect.any(String),
    });
    expect(answer.text).not.toContain(API_SECRET);
    expect(answer.text).not.toContain(API_KEY);
  });

  test.each([
    ['venue-a', 'demo', { keyId: 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c', privateKey }],
    [
      'venue-b',
      'demo',
      {
        wallet: `0x${'ab'.repeat(20)}`,
        signatureType: 0,
        signingKey: `0x${'11'.repeat(32)}`,
        isSession: false,
        api: { key: 'a-key', secret: 'c2VjcmV0', passphrase: 'words' },
      },
    ],
  ])('credentials of %s are taken too', async (venue, environment, credentials) => {
    expect(await connected({ venue, environment, credentials })).toMatchObject({ state: 'unverified' });
  });

  test('its credentials are nowhere in the clear: no table, log line, event or audit row', async () => {
    await connected();
    const tables = await world.db
      .selectFrom('venue_credential')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(tables.count)).toBeGreaterThan(0);
    const everything = JSON.stringify([
      world.logged,
      await world.db.selectFrom('venue_connection').selectAll().execute(),
      (await world.db.selectFrom('venue_credential').selectAll().execute()).map((row) => [
        row.ciphertext.toString('latin1'),
        row.wrapped_key.toString('latin1'),
      ]),
      await world.db.selectFrom('audit_event').selectAll().execute(),
      await world.db.selectFrom('account_event').selectAll().execute(),
      await world.db.selectFrom('idempotency_key').selectAll().execute(),
    ]);
    for (const secret of [API_SECRET, API_KEY, PASSWORD]) expect(everything).not.toContain(secret);
  });

  test('a wrong password is refused, and so is none', async () => {
    expectRefusal(await connect({ password: 'guessed' }), 403, 'password_required');
    expectRefusal(await connect({ password: undefined }), 400, 'validation_failed');
  });

  test.each([
    ['an environment the venue has not', { venue: 'venue-a', environment: 'testnet' }, '/environment'],
    ['an environment of real money at simulated prices', { environment: 'live' }, '/environment'],
    ['credentials of another venue', { venue: 'venue-a', environment: 'demo' }, '/credentials'],
    ['a secret that is none', { credentials: { apiKey: 'x', secret: API_SECRET } }, '/credentials'],
    [
      "the key of a wallet's owner for real money",
      {
        venue: 'venue-b',
        environment: 'live',
        credentials: {
          wallet: `0x${'ab'.repeat(20)}`,
          signatureType: 0,
          signingKey: `0x${'11'.repeat(32)}`,
          isSession: false,
          api: { key: 'a-key', secret: 'c2VjcmV0', passphrase: 'words' },
        },
      },
      '/credentials',
    ],
  ])('%s is refused in words that repeat nothing', async (_what, more, path) => {
    const answer = await connect(more);
    expect(expectRefusal(answer, 400, 'validation_failed').issues).toMatchObject([{ path }]);
    expect(answer.text).not.toContain(API_SECRET);
    expect(answer.text).not.toContain('11111111');
  });

  test('a service without keys stores none, and states the remedy', async () => {
    const bare = await openWorld({ settings: { CREDENTIAL_KEYS: '' } });
    const { cookie } = await bare.signUp();
    const headers = { cookie, origin: ORIGIN };
    expectRefusal(await bare.send('POST', PATH, { headers, body: binance() }), 403, 'credentials_not_kept');
    await bare.close();
  });
});

describe('a live account', () => {
  const CREDENTIALS = { apiKey: API_KEY, secret: API_SECRET };
  let real: World;
  let owner: string;

  beforeAll(async () => {
    real = await openWorld({ settings: { MARKET_DATA: 'live' } });
    owner = (await real.signUp()).cookie;
  });
  afterAll(() => real.close());

  const connectReal = (more: object) =>
    real.send('POST', PATH, {
      headers: { cookie: owner, origin: ORIGIN },
      body: binance({ environment: 'live', credentials: CREDENTIALS, ...more }),
    });

  test('it is connected after a declaration of eligibility, and the declaring session is stored', async () => {
    for (const isEligible of ['false', 'no', 1, [], null]) {
      const { issues } = expectRefusal(await connectReal({ isEligible }), 400, 'validation_failed');
      expect(issues).toMatchObject([{ path: '/isEligible' }]);
    }
    for (const more of [{}, { isEligible: false }]) {
      const { issues } = expectRefusal(await connectReal(more), 400, 'validation_failed');
      expect(issues).toMatchObject([{ path: '/isEligible' }]);
    }
    const { id } = expectOk(await connectReal({ isEligible: true })) as Connection;
    const said = await real.db
      .selectFrom('audit_event')
      .select(['actor', 'at', 'after'])
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(said).toMatchObject({ after: { environment: 'live', isEligible: true } });
    expect(said.actor).toMatch(/^session:/);
    expect(said.at).not.toBeNull();
  });

  test('the demo of a venue that has none is refused at real prices', async () => {
    const credentials = {
      wallet: `0x${'ab'.repeat(20)}`,
      signatureType: 0,
      signingKey: `0x${'11'.repeat(32)}`,
      isSession: false,
      api: { key: 'a-key', secret: 'c2VjcmV0', passphrase: 'words' },
    };
    const answer = await connectReal({ venue: 'venue-b', environment: 'demo', credentials });
    expect(expectRefusal(answer, 400, 'validation_failed').issues).toMatchObject([{ path: '/environment' }]);
  });
});

describe("a person's changes to a connection", () => {
  test('it is renamed and limited; an omitted field stays, null removes a limit', async () => {
    const { id } = await connected({ maxOrder: 25, maxDay: 100 });
    const changed = expectOk(
      await bySession('PATCH', `${PATH}/${id}`, { label: 'Smaller', maxDay: null, maxOpenNotional: 7.5 }),
    );
    expect(changed).toMatchObject({ label: 'Smaller', maxOrder: 25, maxDay: null, maxOpenNotional: 7.5 });
    expectRefusal(await bySession('PATCH', `${PATH}/${id}`, { maxOrder: 0 }), 400, 'validation_failed');
  });

  test('a halt holds until it is resumed, and a resumed one has to pass every check again', async () => {
    const { id } = await connected();
    expect(expectOk(await act(id, 'halt', {}))).toMatchObject({ state: 'halted', stateCode: 'by_person' });
    expect(expectOk(await act(id, 'halt', {}))).toMatchObject({ state: 'halted' });
    expect(expectOk(await act(id, 'resume'))).toMatchObject({
      state: 'unverified',
      checkRequestedAt: expect.any(String),
    });
    expectRefusal(await act(id, 'resume'), 403, 'invalid_state');
  });

  test('halted it stays through a rotation of its credentials', async () => {
    const { id } = await connected();
    await act(id, 'halt', {});
    const credentials = { apiKey: API_KEY.replace('x3Kq', 'y4Lr'), secret: API_SECRET };
    const rotated = expectOk(await act(id, 'rotate', { credentials, password: PASSWORD }));
    expect(rotated).toMatchObject({ state: 'halted', keyHint: 'y4Lr' });
    const versions = await world.db
      .selectFrom('venue_credential')
      .select('version')
      .where('connection_id', '=', id)
      .execute();
    expect(versions).toEqual([{ version: 2 }]);
  });

  test('a rotation does not allow entries that a person has stopped', async () => {
    const { id } = await connected();
    await act(id, 'halt', { to: 'reduce_only' });
    const credentials = { apiKey: API_KEY, secret: API_SECRET };
    await act(id, 'rotate', { credentials, password: PASSWORD });
    const { state, is_held_by_person } = await world.db
      .selectFrom('venue_connection')
      .select(['state', 'is_held_by_person'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect({ state, is_held_by_person }).toEqual({ state: 'unverified', is_held_by_person: true });
  });

  test('entries of an unverified connection are stopped beforehand: no exit is sent before its checks are green', async () => {
    const { id } = await connected();
    const held = { state: 'unverified', stateCode: 'by_person' };
    expect(expectOk(await act(id, 'halt', { to: 'reduce_only' }))).toMatchObject(held);
    expect(expectOk(await act(id, 'halt', { to: 'reduce_only' }))).toMatchObject(held);
    expect(expectOk(await act(id, 'resume'))).toMatchObject({
      state: 'unverified',
      stateCode: 'not_checked',
    });
  });

  test('removed it is revoked for good, its credentials are deleted, and it makes room for another', async () => {
    const { id } = await connected();
    expect(expectOk(await bySession('DELETE', `${PATH}/${id}`))).toEqual({ removed: true });
    expect(expectOk(await bySession('GET', `${PATH}/${id}`))).toMatchObject({ state: 'revoked' });
    for (const what of ['check', 'halt', 'resume', 'cancel-all'])
      expectRefusal(await act(id, what, what === 'halt' ? {} : undefined), 403, 'invalid_state');
    const left = await world.db
      .selectFrom('venue_credential')
      .selectAll()
      .where('connection_id', '=', id)
      .execute();
    expect(left).toEqual([]);
  });

  test('removed it waits for nothing: neither a check nor a cancel of its orders stays requested', async () => {
    const { id } = await connected();
    await act(id, 'check');
    await act(id, 'cancel-all');
    await bySession('DELETE', `${PATH}/${id}`);
    const requests = await world.db
      .selectFrom('venue_connection')
      .select(['check_requested_at', 'cancel_all_requested_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(requests).toEqual({ check_requested_at: null, cancel_all_requested_at: null });
  });

  test('every order at every venue is canceled in one request, at connected venues and at no other account', async () => {
    const { cookie: mine } = await world.signUp();
    const [here, removed] = [
      (expectOk(await bySession('POST', PATH, binance(), mine)) as Connection).id,
      (expectOk(await bySession('POST', PATH, binance(), mine)) as Connection).id,
    ];
    const { id: theirs } = await connected();
    expectOk(await bySession('DELETE', `${PATH}/${removed}`, undefined, mine));
    expect(expectOk(await bySession('POST', `${PATH}/cancel-all`, undefined, mine))).toEqual({ asked: 1 });
    const requested = await world.db
      .selectFrom('venue_connection')
      .select('id')
      .where('id', 'in', [here, removed, theirs])
      .where('cancel_all_requested_at', 'is not', null)
      .execute();
    expect(requested).toEqual([{ id: here }]);
    const audited = await world.db
      .selectFrom('audit_event')
      .select('subject_id')
      .where('action', '=', 'venue_connection.cancel_all')
      .where('subject_id', 'in', [here, removed, theirs])
      .execute();
    expect(audited).toEqual([{ subject_id: here }]);
  });

  test('every step is in the audit trail, with its actor', async () => {
    const { id } = await connected();
    await act(id, 'halt', {});
    await act(id, 'cancel-all');
    const rows = await world.db
      .selectFrom('audit_event')
      .select(['action', 'actor'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual([
      'venue_connection.created',
      'venue_connection.halted',
      'venue_connection.cancel_all',
    ]);
    expect(rows.every(({ actor }) => actor.startsWith('session:'))).toBe(true);
  });
});

describe('access', () => {
  test('an API key sees and changes none, whatever its scopes', async () => {
    const account = await world.account();
    const { id } = await connected();
    const headers = bearer(account.key);
    expectRefusal(await world.send('GET', PATH, { headers }), 403, 'session_required');
    expectRefusal(
      await world.send('POST', `${PATH}/${id}/halt`, { headers, body: {} }),
      403,
      'session_required',
    );
  });

  test('one venue account has one owner, over all accounts, until its connection is removed', async () => {
    const [first, second] = [await connected(), await connected()];
    const own = (id: string) =>
      world.db.updateTable('venue_connection').set({ fingerprint: 'uid-1' }).where('id', '=', id).execute();
    await own(first.id);
    await expect(own(second.id)).rejects.toThrow(/venue_connection_fingerprint/);
    await bySession('DELETE', `${PATH}/${first.id}`);
    await own(second.id);
  });
});

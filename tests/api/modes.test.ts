import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../engine/trading/keys/create.ts';
import { restRoutes } from '../../openapi/routes.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { bearer, expectOk, expectRefusal, pathOf, titleOf } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { rechain } from '../support/rechain.ts';
import { type Account, type Answer, ORIGIN, openWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;
const LIVE = { scopes: [...SCOPE_NAMES, 'trade:live'], mode: 'live', envelope: { maxOrder: 10 } };

const world = openedForFile(() =>
  openWorld({
    settings: { LIVE_TRADING: 'on', CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}` },
  }),
);
const off = openedForFile(openWorld);
let cookie: string;
beforeAll(async () => {
  cookie = (await world.signUp()).cookie;
});

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const bySession = (method: string, path: string, body?: unknown): Promise<Answer> =>
  world.send(method, path, { headers: { cookie, origin: ORIGIN }, ...(body !== undefined && { body }) });

const makeKey = (more: object) =>
  bySession('POST', '/api/agent-keys', { name: 'Agent', ...LIVE, expiresAt: inDays(30), ...more });

/** A query of a session, at the route of a mode. */
const query = (name: string, base: '/trpc' | '/live/trpc') =>
  world.send('GET', `${base}/${name}?input=${encodeURIComponent('{}')}`, {
    headers: { cookie, origin: ORIGIN },
  });

const expectTrpcRefusal = ({ status, body }: Answer, code: string) =>
  expect({ status, body }).toMatchObject({ status: 403, body: { error: { data: { error: { code } } } } });

const dataOf = ({ body }: Answer) => (body as { result: { data: unknown } }).result.data;

describe('a live key', () => {
  test('is created by a session alone, with its scope, an end within 90 days and a largest order', async () => {
    const { body } = await makeKey({});
    expect(body).toMatchObject({ mode: 'live', envelope: { maxOrder: 10 } });
    const account = await world.account();
    expectRefusal(
      await account.http('POST', '/api/agent-keys', { name: 'Agent', ...LIVE, expiresAt: inDays(30) }),
      403,
    );
    for (const wrong of [
      { scopes: ['orders:read'] },
      { scopes: ['approve:live'] },
      { mode: 'paper' },
      { expiresAt: inDays(91) },
      { expiresAt: null },
      { envelope: {} },
      { envelope: { maxOrder: 0 } },
      { envelope: { maxOrder: '10' } },
      { envelope: { maxOrder: 10, more: 1 } },
    ]) {
      expectRefusal(await makeKey(wrong), 400);
    }
  });

  test('cannot be created, nor replaced, while live trading is off, which is the default', async () => {
    const { cookie: other } = await off.signUp();
    const headers = { cookie: other, origin: ORIGIN };
    const body = { name: 'Agent', ...LIVE, expiresAt: inDays(30) };
    const refused = await off.send('POST', '/api/agent-keys', { headers, body });
    expectRefusal(refused, 403, 'live_trading_off');
    expectTrpcRefusal(
      await off.send('GET', '/live/trpc/riskRules.read?input=%7B%7D', { headers }),
      'live_trading_off',
    );
  });

  test('keeps its mode and spending limits for good, also through a rotation', async () => {
    const { id } = expectOk(await makeKey({})) as { id: string };
    const rotated = expectOk(await bySession('POST', `/api/api-keys/${id}/rotate`)) as { id: string };
    const keys = expectOk(await bySession('GET', '/api/agent-keys')) as { id: string }[];
    expect(keys.find((key) => key.id === rotated.id)).toMatchObject({
      mode: 'live',
      envelope: { maxOrder: 10 },
    });
    for (const change of [{ mode: 'paper' as const }, { envelope: null }]) {
      await expect(
        world.db.updateTable('api_key').set(change).where('id', '=', id).execute(),
      ).rejects.toThrow('are fixed');
    }
  });

  test('approves orders by a scope of its own: without it a person has to', async () => {
    const approve = async (scopes: readonly string[]) => {
      const { key } = expectOk(await makeKey({ scopes })) as { key: string };
      return world.send('POST', `/api/orders/${randomUUID()}/approve`, { headers: bearer(key) });
    };
    const refused = await approve(LIVE.scopes);
    expectRefusal(refused, 403, 'insufficient_scope');
    expect(JSON.stringify(refused.body)).toContain('approve:live');
    expectRefusal(await approve([...LIVE.scopes, 'approve:live']), 404, 'not_found');
    const paper = { scopes: ['orders:write', 'approve:live'], mode: 'paper', envelope: {} };
    expectRefusal(await makeKey(paper), 400);
  });

  test('requires its scope for every request but emergencies, and reads without it', async () => {
    const { id, key } = expectOk(await makeKey({ scopes: LIVE.scopes })) as { id: string; key: string };
    const scopes = JSON.stringify(LIVE.scopes.filter((scope) => scope !== 'trade:live'));
    // No request creates such a key, and the database lets none become one.
    await world.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update api_key set scopes = array(select jsonb_array_elements_text(${scopes}::jsonb)) where id = ${id}`.execute(
        tx,
      );
      const { rows } = await sql<{
        account_id: string;
      }>`update audit_event set after = jsonb_set(after, '{scopes}', ${scopes}::jsonb)
        where action = 'api_key.created' and subject_id = ${id} returning account_id`.execute(tx);
      for (const { account_id } of rows) await rechain(tx, account_id);
    });
    const headers = bearer(key);
    expectOk(await world.send('GET', '/api/portfolio', { headers }));
    expectOk(await world.send('POST', '/api/blueprints/stop', { headers }));
    expectRefusal(
      await world.send('POST', '/api/blueprints', { headers, body: { name: 'No' } }),
      403,
      'insufficient_scope',
    );
  });

  test('reads and stops while live trading is off, and nothing else', async () => {
    const account = await off.account();
    const { key } = await createKey(account.work, {
      name: 'Live',
      ...LIVE,
      mode: 'live',
      envelope: { maxOrder: '10' },
      expiresAt: new Date(Date.now() + DAY_MS),
      createdBy: null,
    });
    const headers = bearer(key);
    expectOk(await off.send('GET', '/api/portfolio', { headers }));
    expect(expectOk(await off.send('POST', '/api/blueprints/stop', { headers }))).toEqual({ stopped: 0 });
    expectRefusal(
      await off.send('POST', '/api/blueprints', { headers, body: { name: 'No' } }),
      403,
      'live_trading_off',
    );
  });
});

describe('a session', () => {
  test('uses the mode of its route, and a key its own mode on any route', async () => {
    const paper = dataOf(await query('console.account', '/trpc'));
    const live = dataOf(await query('console.account', '/live/trpc'));
    expect(paper).toMatchObject({ mode: 'paper', cash: 10_000 });
    expect(live).toMatchObject({ mode: 'live', cash: 0 });
    expect(dataOf(await query('riskRules.read', '/live/trpc'))).toMatchObject({
      maxOrderSize: 25,
      requireApprovalAbove: 0,
      maxDailyLoss: 50,
      maxOpenPositions: 5,
    });
    const account = await world.account();
    const byKey = await world.send('GET', '/live/trpc/riskRules.read?input=%7B%7D', {
      headers: bearer(account.key),
    });
    expectTrpcRefusal(byKey, 'session_required');
  });
});

/** Responses of every documented reading operation to a key, without request ids. */
const reading = restRoutes.filter(
  ({ open, method, name }) => !open && method === 'GET' && !name.startsWith('marketData.'),
);

async function answersTo(key: string, blueprintId: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const route of reading) {
    const { status, body } = await world.send('GET', pathOf(route, blueprintId), { headers: bearer(key) });
    answers[titleOf(route)] = status === 200 ? { status, body } : { status };
  }
  return answers;
}

async function twoKeys(): Promise<{ account: Account; paper: string; live: string }> {
  const account = await world.account();
  const { key } = await createKey(account.work, {
    name: 'Live',
    scopes: LIVE.scopes,
    mode: 'live',
    envelope: { maxOrder: '1000' },
    expiresAt: new Date(Date.now() + DAY_MS),
    createdBy: null,
  });
  return { account, paper: account.key, live: key };
}

describe.each([
  ['paper', 'live'],
  ['live', 'paper'],
] as const)('what a %s key does', (acting, other) => {
  test(`leaves every documented response to a ${other} key as it was`, async () => {
    const keys = await twoKeys();
    const by = (method: string, path: string, body?: unknown) =>
      world.send(method, path, { headers: bearer(keys[acting]), ...(body !== undefined && { body }) });
    const { id } = expectOk(await by('POST', '/api/blueprints', { name: 'Both see it', visual: null })) as {
      id: string;
    };
    const before = await answersTo(keys[other], id);
    expectOk(await by('PUT', '/api/risk-rules', { maxOrderSize: 7, requireApprovalAbove: 3 }));
    expect(expectOk(await by('POST', `/api/blueprints/${id}/deploy`))).toMatchObject({ status: 'running' });
    const seen = expectOk(await world.send('GET', `/api/blueprints/${id}`, { headers: bearer(keys[other]) }));
    expect(seen).toMatchObject({ status: 'draft', deploymentId: null, nodeStates: null });
    for (const [path, status] of [
      [`/api/blueprints/${id}/stop`, 403],
      [`/api/blueprints/${id}/deploy`, 403],
    ] as const) {
      expectRefusal(await world.send('POST', path, { headers: bearer(keys[other]) }), status);
    }
    expect(
      expectOk(await world.send('POST', '/api/blueprints/stop', { headers: bearer(keys[other]) })),
    ).toEqual({ stopped: 0 });
    expect(expectOk(await by('GET', `/api/blueprints/${id}`))).toMatchObject({ status: 'running' });
    expect(expectOk(await by('POST', '/api/blueprints/stop'))).toEqual({ stopped: 1 });
    const after = await answersTo(keys[other], id);
    expect(withoutTimes(after)).toEqual(withoutTimes(before));
  });

  test(`neither lists nor revokes a ${other} key`, async () => {
    const keys = await twoKeys();
    const ids = await world.db
      .selectFrom('api_key')
      .select(['id', 'mode'])
      .where('account_id', '=', keys.account.accountId)
      .execute();
    const foreign = ids.find(({ mode }) => mode === other)?.id ?? '';
    const headers = bearer(keys[acting]);
    const listed = expectOk(await world.send('GET', '/api/api-keys', { headers })) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(ids.filter(({ mode }) => mode === acting).map(({ id }) => id));
    expectRefusal(await world.send('DELETE', `/api/api-keys/${foreign}`, { headers }), 404);
  });
});

/**
 * Drops times. Modes share a blueprint, and its `updatedAt` changes with any of them. A span of statistics ends with the
 * request.
 */
const withoutTimes = (answers: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answers, (name, value) =>
      ['updatedAt', 'lastUsedAt', 'at', 'from', 'to'].includes(name) ? undefined : value,
    ),
  );

test('an answer that is stored for repetitions belongs to one mode', async () => {
  const { paper, live } = await twoKeys();
  const create = (key: string) =>
    world.send('POST', '/api/blueprints', {
      headers: { ...bearer(key), 'idempotency-key': 'the-same' },
      body: { name: 'Once' },
    });
  expectOk(await create(paper));
  expectRefusal(await create(live), 422, 'idempotency_key_reused');
});

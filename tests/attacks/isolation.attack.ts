import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../engine/trading/keys/create.ts';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import { scopesOf } from '../../routers/principal.ts';
import { SCOPE_NAMES, type Scope } from '../../routers/scopes.ts';
import { bearer, exampleBody, pathOf, storedState, titleOf, withoutRequestId } from '../support/api.ts';
import { addBacktest } from '../support/backtests.ts';
import { addChannel, addDelivery } from '../support/notifications.ts';
import { addSweep } from '../support/sweeps.ts';
import { addBlueprint, addConnection, addImport, hold, pendingBuy, TOKEN } from '../support/trading.ts';
import type { Account, Answer } from '../support/world.ts';
import { type Fortress, openFortress, PAGE } from './support/fortress.ts';
import { openIdleRunner } from './support/idle-runner.ts';

let fortress: Fortress;
let runner: Awaited<ReturnType<typeof openIdleRunner>>;
let me: Account;
let them: Account;
let cookie: string;
let theirs: Record<string, string>;
beforeAll(async () => {
  // Starts no trading, so that only the attack can change anything.
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  fortress = await openFortress({ RATE_LIMITS: 'off', ROLE: 'api', CREDENTIAL_KEYS: keys });
  runner = await openIdleRunner(fortress);
  [me, them] = [await fortress.account(), await fortress.account()];
  ({ cookie } = await fortress.signIn());
  const blueprintId = await addBlueprint(them, 'Theirs');
  await hold(fortress, them, { blueprintId, amount: '0.001' });
  const order = await pendingBuy(fortress, them, { blueprintId, amount: '0.002' });
  theirs = {
    backtests: await addBacktest(fortress.pool, them.work),
    sweeps: await addSweep(fortress.pool, them.work),
    blueprints: blueprintId,
    orders: order.id,
    'api-keys': them.keyId,
    'venue-connections': await addConnection(them),
    history: await addImport(them),
    'notification-channels': await addChannel(them),
    'notification-deliveries': await addDelivery(them),
  };
});
afterAll(async () => {
  await runner.close();
  await fortress.close();
});

const guarded = restRoutes.filter(({ open }) => !open);
const withId = guarded.filter(({ pathParameters }) => pathParameters.includes('id'));

function call(route: RestRoute, id: string, key = me.key): Promise<Answer> {
  const headers = route.meta.access?.kind === 'session' ? { cookie, origin: PAGE } : bearer(key);
  return fortress.send(route.method, pathOf(route, id), { headers, ...exampleBody(route) });
}

test('S1: 404: another account’s id answers as a missing one, byte for byte, and nothing happens', async () => {
  expect(withId.length).toBeGreaterThan(10);
  const before = await storedState(fortress);
  for (const route of withId) {
    const foreign = await call(route, theirs[route.path.split('/')[2] ?? ''] ?? '');
    expect(foreign.status, titleOf(route)).toBe(404);
    expect(withoutRequestId(foreign)).toBe(withoutRequestId(await call(route, randomUUID())));
  }
  expect(await storedState(fortress)).toEqual(before);
});

test('S2: another account’s ids as filters, instruments and cursors find nothing', async () => {
  const { blueprints = '' } = theirs;
  const orders = await me.http('GET', `/api/orders?blueprintId=${blueprints}`);
  expect({ status: orders.status, body: orders.body }).toEqual({ status: 200, body: [] });
  const close = { tokenId: TOKEN, amount: 0.001 };
  for (const body of [close, { ...close, blueprintId: blueprints }])
    expect((await me.http('POST', '/api/portfolio/positions/close', body)).status).toBe(404);
  await addBlueprint(them, 'Second');
  const { headers } = await them.http('GET', '/api/blueprints?limit=1');
  const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
  expect(cursor).toBeDefined();
  expect((await me.http('GET', `/api/blueprints?limit=1&cursor=${cursor}`)).status).toBe(400);
});

test('S11: answers have the documented fields, and no internal ones', async () => {
  const answers = await Promise.all([
    them.http('GET', '/api/orders'),
    them.http('GET', '/api/blueprints'),
    them.http('GET', '/api/portfolio/positions'),
    them.http('GET', '/api/api-keys'),
    them.http('GET', '/api/orders/nope'),
    fortress.send('GET', '/api/auth/get-session', { headers: { cookie } }),
  ]);
  for (const { text } of answers)
    expect(text).not.toMatch(/account_?id|hash|"token"|password|select |\.ts:\d|node_modules|stack/i);
  const [order] = answers[0].body as object[];
  expect(Object.keys(order ?? {})).toHaveLength(6);
});

test('S21: an id is a UUID in either case, and nothing else', async () => {
  const { blueprints: id = '' } = theirs;
  const upper = await them.http('GET', `/api/blueprints/${id.toUpperCase()}`);
  expect(upper.body).toMatchObject({ id });
  for (const odd of [
    `{${id}}`,
    `urn:uuid:${id}`,
    `${id}%00`,
    '..%2f..%2fapi',
    `${id}x`,
    '1',
    '%zz',
    `-${id}`,
  ])
    expect([400, 404], odd).toContain((await them.http('GET', `/api/blueprints/${odd}`)).status);
});

test('S24: a key with one scope may do what that scope names, and nothing else', async () => {
  for (const scope of SCOPE_NAMES) {
    const { key } = await keyOf(me, scope);
    for (const route of guarded) {
      if (route.meta.access && scopesOf(route.meta.access).includes(scope)) continue;
      const { status } = await fortress.send(route.method, pathOf(route, randomUUID()), {
        headers: bearer(key),
        ...exampleBody(route),
      });
      expect(status, `${scope}: ${titleOf(route)}`).toBe(403);
    }
  }
});

const keyOf = ({ work }: Account, ...scopes: Scope[]) =>
  createKey(work, { name: 'One', scopes, createdBy: null });

test('S25: a key creates no keys, rotates none and has no session', async () => {
  const scopes = ['*'];
  for (const [method, path, body] of [
    ['POST', '/api/api-keys', { name: 'More', scopes }],
    ['POST', `/api/api-keys/${me.keyId}/rotate`, undefined],
    ['GET', '/api/audit', undefined],
  ] as const)
    expect((await me.http(method, path, body)).status, path).toBe(403);
  const both = await fortress.send('POST', '/api/api-keys', {
    headers: { ...bearer(me.key), cookie, origin: PAGE },
    body: { name: 'More', scopes: ['risk:read'] },
  });
  expect(both.status).toBe(403);
  expect((await fortress.send('GET', '/api/auth/get-session', { headers: bearer(me.key) })).text).toBe(
    'null',
  );
});

/** Orders of an account as stored, oldest first. */
const ordersOf = ({ accountId }: Account) =>
  fortress.db
    .selectFrom('trade_order')
    .select(['id', 'status', 'amount', 'rules_version', 'origin'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();

const timesQueued = async (orderId: string): Promise<number> =>
  (
    await fortress.db
      .selectFrom('order_transition')
      .select('to_status')
      .where('order_id', '=', orderId)
      .where('to_status', '=', 'queued')
      .execute()
  ).length;

test('S26: of many approvals of one order one has an effect; of an expired or foreign order, none', async () => {
  const account = await fortress.account();
  const blueprintId = await addBlueprint(account);
  const approve = (who: Account, id: string) => who.http('POST', `/api/orders/${id}/approve`);
  const { id } = await pendingBuy(fortress, account, { blueprintId, amount: '0.001' });
  expect((await approve(me, id)).status).toBe(404);
  expect(await timesQueued(id)).toBe(0);
  await Promise.all(Array.from({ length: 15 }, () => approve(account, id)));
  expect(await timesQueued(id)).toBe(1);
  const late = await pendingBuy(fortress, account, { blueprintId, amount: '0.001' });
  await fortress.db
    .updateTable('trade_order')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', late.id)
    .execute();
  expect((await approve(account, late.id)).status).toBe(403);
  expect(await timesQueued(late.id)).toBe(0);
});

test('S26: a hundred concurrent closes sell at most what is held, and each at most what is left', async () => {
  const account = await fortress.account();
  const blueprintId = await addBlueprint(account);
  await hold(fortress, account, { blueprintId, amount: '0.002' });
  const close = (amount: number) =>
    account.http('POST', '/api/portfolio/positions/close', { tokenId: TOKEN, amount });
  expect([400, 403]).toContain((await close(0.003)).status);
  const closes = await Promise.all(Array.from({ length: 100 }, () => close(0.001)));
  expect(closes.filter(({ status }) => status === 200)).toHaveLength(2);
  const sold = (await ordersOf(account)).filter(({ origin }) => origin === 'manual');
  expect(sold.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(0.002, 9);
});

test('S26: a caller cannot deploy another graph than the one that was reviewed', async () => {
  const account = await fortress.account();
  const id = await addBlueprint(account);
  const path = `/api/blueprints/${id}`;
  const seen = (await account.http('GET', path)).headers.get('etag') ?? '';
  expect((await account.http('PUT', path, { name: 'Changed since' })).status).toBe(200);
  expect((await account.http('POST', `${path}/deploy`, undefined, { 'if-match': seen })).status).toBe(412);
  expect((await account.http('GET', path)).body).toMatchObject({ status: 'draft' });
});

test('S27: each order is decided by the rules of its own transaction, whose version it stores, however they change meanwhile', async () => {
  const account = await fortress.account();
  const blueprintId = await addBlueprint(account);
  await hold(fortress, account, { blueprintId, amount: '0.01' });
  const limits = new Map<number, number>();
  let isOver = false;
  const change = async () => {
    for (let turn = 0; !isOver; turn++) {
      const requireApprovalAbove = turn % 2 === 0 ? 0.01 : 99_999;
      const { status, headers } = await account.http('PUT', '/api/risk-rules', { requireApprovalAbove });
      expect(status).toBe(200);
      limits.set(Number(/\d+/.exec(headers.get('etag') ?? '')), requireApprovalAbove);
    }
  };
  const close = () =>
    account.http('POST', '/api/portfolio/positions/close', { tokenId: TOKEN, amount: 0.0001 });
  const changing = change();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([close(), close(), close()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  isOver = true;
  await changing;
  const closes = (await ordersOf(account)).filter(({ origin }) => origin === 'manual');
  expect(closes).toHaveLength(30);
  for (const { id, status, rules_version } of closes) {
    const limit = limits.get(Number(rules_version));
    expect({ id, limit, status }).toEqual({ id, limit, status: limit === 0.01 ? 'pending' : 'queued' });
  }
  expect(new Set(closes.map(({ status }) => status))).toEqual(new Set(['pending', 'queued']));
  const receipts = await Promise.all(
    closes.map(async ({ id }) => (await account.http('GET', `/api/orders/${id}`)).text),
  );
  await account.http('PUT', '/api/risk-rules', { requireApprovalAbove: 12_345 });
  for (const [index, { id }] of closes.entries())
    expect((await account.http('GET', `/api/orders/${id}`)).text).toBe(receipts[index]);
});

test('S38: quotes, wildcards and comments of SQL are letters like others', async () => {
  const before = await fortress.count('blueprint');
  for (const name of ["'; drop table blueprint; --", '%', '_', '\\', "' or 1=1 --"]) {
    const { body } = await me.http('POST', '/api/blueprints', { name });
    expect(body).toMatchObject({ name });
    const searched = await me.http('GET', `/api/venue-a?search=${encodeURIComponent(name)}`);
    expect([200, 400], name).toContain(searched.status);
  }
  expect(await fortress.count('blueprint')).toBe(before + 5);
});

test('X19: another account’s idempotency key has no meaning, and a secret is returned only once', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await me.http('POST', '/api/blueprints', { name: 'Mine' }, headers);
  const second = await them.http('POST', '/api/blueprints', { name: 'Theirs' }, headers);
  expect(first.body).toMatchObject({ name: 'Mine' });
  expect(second.body).toMatchObject({ name: 'Theirs' });
  const make = () =>
    fortress.send('POST', '/api/api-keys', {
      headers: { cookie, origin: PAGE, ...headers },
      body: { name: 'Once', scopes: ['risk:read'] },
    });
  const { key } = (await make()).body as { key: string };
  expect(key).toMatch(/^tsk_/);
  expect((await make()).text).not.toContain(key);
});

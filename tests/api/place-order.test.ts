import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { BY_HAND_ID } from '../../engine/platform/by-hand.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { restRoutes } from '../../openapi/routes.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { toolsetsOf } from '../../server/mcp/toolsets.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, hold, openMarket, TOKEN } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;

beforeEach(async () => {
  account = await world.account();
  await openMarket(world);
  await updateRules(account.work, { requireApprovalAbove: 1_000, maxOrderSize: 10_000 });
});

const BUY = { tokenId: TOKEN, side: 'buy', type: 'limit', amount: 0.001, limitPrice: 50_000 };

const place = (body: object, headers?: Record<string, string>, from = account) =>
  from.http('POST', '/api/orders', body, headers);
const placed = async (body: object) => expectOk(await place(body)) as { intentId: string; status: string };

describe('POST /api/orders', () => {
  test('places a buy that belongs to no strategy, and lists it', async () => {
    const answer = await placed(BUY);
    expect(answer).toEqual({
      intentId: expect.any(String),
      status: 'queued',
      amount: 0.001,
      limitPrice: 50_000,
    });
    expect(expectOk(await account.http('GET', `/api/orders/${answer.intentId}`))).toMatchObject({
      origin: 'manual',
      blueprintId: BY_HAND_ID,
      deploymentId: null,
      timeInForce: 'gtc',
    });
    const listed = expectOk(await account.http('GET', `/api/orders?blueprintId=${BY_HAND_ID}`));
    expect(listed).toMatchObject([{ id: answer.intentId }]);
    expect(expectOk(await account.http('GET', '/api/blueprints'))).toEqual([]);
    expectRefusal(await account.http('GET', `/api/blueprints/${BY_HAND_ID}`), 404);
  });

  test('asks the venue about an instrument that nothing uses yet', async () => {
    const answer = await placed({ tokenId: 'ETHUSDT', side: 'buy', type: 'market', amount: 0.01 });
    expect(answer.status).toBe('queued');
  });

  test('400: an order that is worth more than any account can hold, also in its preview', async () => {
    const huge = { tokenId: TOKEN, side: 'buy', type: 'limit', amount: 1e15, limitPrice: 1e15 };
    expectRefusal(await place(huge), 400, 'validation_failed');
    expectRefusal(await account.http('POST', '/api/risk-rules/preview', huge), 400, 'validation_failed');
  });

  test('has one effect under one idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await place(BUY, key);
    const second = await place(BUY, key);
    expect(expectOk(second)).toEqual(expectOk(first));
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(expectOk(await account.http('GET', '/api/orders'))).toHaveLength(1);
  });

  test('is refused to a key with every other scope', async () => {
    const others = SCOPE_NAMES.filter((scope) => scope !== 'orders:place');
    expectRefusal(await place(BUY, {}, await world.account(...others)), 403, 'insufficient_scope');
    expectOk(await place(BUY, {}, await world.account('orders:place')));
  });

  test.each([
    ['a limit order without a limit price', { limitPrice: undefined }, '/limitPrice'],
    ['a market order with one', { type: 'market' }, '/limitPrice'],
    ['an end of an order that does not rest', { timeInForce: 'ioc', expireAfterSec: 60 }, '/expireAfterSec'],
    [
      'one of an order that fills whole or not',
      { timeInForce: 'fok', expireAfterSec: 60 },
      '/expireAfterSec',
    ],
    [
      'a market order that fills whole or not',
      { type: 'market', limitPrice: undefined, timeInForce: 'fok' },
      '/timeInForce',
    ],
    [
      'a post-only market order',
      { type: 'market', limitPrice: undefined, timeInForce: 'gtx' },
      '/timeInForce',
    ],
    ['no amount', { amount: 0 }, '/amount'],
    ['an amount between two steps', { amount: 0.000_000_1 }, '/amount'],
  ])('refuses %s', async (_, change, path) => {
    const { issues } = expectRefusal(await place({ ...BUY, ...change }), 400, 'validation_failed');
    expect(issues).toMatchObject([{ path }]);
  });

  test('answers 404 for an unknown instrument, and for a sell of what only another account holds', async () => {
    expectRefusal(await place({ ...BUY, tokenId: 'NOSUCHUSDT' }), 404);
    await hold(world, account, { blueprintId: await addBlueprint(account), amount: '0.001' });
    const stranger = await world.account();
    const sell = { ...BUY, side: 'sell', limitPrice: 90_000 };
    expectRefusal(await place(sell, {}, stranger), 404);
    expectOk(await place(sell));
  });

  test('shows nothing of an order to another account, which cannot approve or cancel it', async () => {
    const { intentId } = await placed(BUY);
    const stranger = await world.account();
    expectRefusal(await stranger.http('GET', `/api/orders/${intentId}`), 404);
    for (const act of ['approve', 'cancel'])
      expectRefusal(await stranger.http('POST', `/api/orders/${intentId}/${act}`), 404);
    expect(expectOk(await stranger.http('GET', `/api/orders?blueprintId=${BY_HAND_ID}`))).toEqual([]);
  });

  test('is a tool of the sets `trade` and `all` alone', () => {
    const route = restRoutes.find(({ name }) => name === 'orders.place');
    expect(route && toolsetsOf(route, false)).toEqual(['all', 'trade']);
  });
});

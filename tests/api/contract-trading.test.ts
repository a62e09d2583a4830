/** The contract's orders and portfolio, on intents and positions that the engine itself has created. */

import { beforeEach, describe, expect, test } from 'vitest';
import { expectOk, expectRefusal, type Issue } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, hold, openMarket, pendingBuy, proposeBuy, TOKEN } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const world = openedForFile(openWorld);
let account: Account;
let blueprintId: string;

beforeEach(async () => {
  account = await world.account();
  blueprintId = await addBlueprint(account);
});

const close = (body: object) => account.http('POST', '/api/portfolio/positions/close', body);
const pending = (amount = '0.001') => pendingBuy(world, account, { blueprintId, amount });
const read = async (path: string) => expectOk(await account.http('GET', path));

describe('orders (contract 4.2)', () => {
  test('a list item has exactly the six documented fields', async () => {
    const { id } = await pending();
    expect(await read('/api/orders')).toEqual([
      {
        id,
        blueprintId,
        status: 'pending',
        side: 'buy',
        amount: 0.001,
        createdAt: expect.stringMatching(DATE_TIME),
      },
    ]);
  });

  test('approving a pending intent returns {ok, id} and queues it; approving again changes nothing', async () => {
    const { id } = await pending();
    const approve = () => account.http('POST', `/api/orders/${id}/approve`);
    expect(expectOk(await approve())).toEqual({ ok: true, id });
    expect(await read(`/api/orders/${id}`)).toMatchObject({
      status: 'queued',
      approvedBy: `key:${account.keyId}`,
    });
    expect(expectOk(await approve())).toEqual({ ok: true, id });
  });

  test('a declined intent is declined for good', async () => {
    const { id } = await pending();
    expect(expectOk(await account.http('POST', `/api/orders/${id}/reject`))).toEqual({ ok: true, id });
    expect(await read(`/api/orders/${id}`)).toMatchObject({ status: 'declined' });
    expectRefusal(await account.http('POST', `/api/orders/${id}/approve`), 403, 'intent_not_pending');
  });

  test('an order not sent yet is canceled at once', async () => {
    const { id } = await pending();
    expect(expectOk(await account.http('POST', `/api/orders/${id}/cancel`))).toEqual({ ok: true, id });
    expect(await read(`/api/orders/${id}`)).toMatchObject({ status: 'canceled' });
    expectRefusal(await account.http('POST', `/api/orders/${id}/approve`), 403, 'intent_not_pending');
  });

  test('403: an intent that has expired is not approved, and is listed as expired before any job has run', async () => {
    const { id } = await pending();
    const { expires_at: expiresAt } = await world.db
      .selectFrom('trade_order')
      .select('expires_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const expireAt = (at: Date | string | null) =>
      world.db.updateTable('trade_order').set({ expires_at: at }).where('id', '=', id).execute();
    await expireAt(new Date(Date.now() - 1_000));
    expectRefusal(await account.http('POST', `/api/orders/${id}/approve`), 403, 'intent_expired');
    expect(await read('/api/orders?status=expired')).toMatchObject([{ id, status: 'expired' }]);
    expect(await read('/api/portfolio')).toMatchObject({ pendingOrders: 0 });
    await expireAt(expiresAt); // as its step says, for the proof of the books
  });

  test('403: rules that changed since the intent was raised are checked again, and it stays pending', async () => {
    const { id } = await pending();
    expectOk(await account.http('PUT', '/api/risk-rules', { maxOrderSize: 1 }));
    const refusal = expectRefusal(
      await account.http('POST', `/api/orders/${id}/approve`),
      403,
      'risk_rule_violated',
    );
    expect(refusal.message).toContain('maxOrderSize');
    expect(await read(`/api/orders/${id}`)).toMatchObject({ status: 'pending' });
  });

  test('403: an order that a rule denied is no intent and cannot be approved', async () => {
    expectOk(await account.http('PUT', '/api/risk-rules', { maxOrderSize: 0 }));
    const { id, status } = await proposeBuy(world, account, { blueprintId, amount: '0.001' });
    expect(status).toBe('denied');
    expectRefusal(await account.http('POST', `/api/orders/${id}/approve`), 403, 'intent_not_pending');
  });

  test('one order shows the intent, its inputs, the receipt of every rule and its steps so far', async () => {
    const { id } = await pending();
    const order = (await read(`/api/orders/${id}`)) as {
      receipt: { lines: { rule: string }[] };
      timeline: unknown[];
    };
    expect(order).toMatchObject({
      id,
      blueprintId,
      tokenId: TOKEN,
      side: 'buy',
      amount: 0.001,
      status: 'pending',
      fills: [],
    });
    const rules = order.receipt.lines.map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining(['maxOrderSize', 'maxDailyLoss', 'maxOpenPositions']));
    expect(rules).toEqual(
      expect.arrayContaining(['maxOrdersPerMinute', 'cooldownAfterLossSec', 'requireApprovalAbove']),
    );
    expect(order.timeline).toMatchObject([{ status: 'pending', from: null }]);
  });
});

describe('portfolio (contract 4.3)', () => {
  test('the summary has exactly four numbers', async () => {
    expect(await read('/api/portfolio')).toEqual({
      runningBlueprints: 0,
      openPositions: 0,
      pendingOrders: 0,
      totalPnl: 0,
    });
    await hold(world, account, { blueprintId, amount: '0.001' });
    await pending('0.0005');
    const other = await addBlueprint(account);
    expectOk(await account.http('POST', `/api/blueprints/${other}/deploy`));
    const summary = (await read('/api/portfolio')) as Record<string, number>;
    expect(Object.keys(summary).sort()).toEqual([
      'openPositions',
      'pendingOrders',
      'runningBlueprints',
      'totalPnl',
    ]);
    expect(summary).toMatchObject({ runningBlueprints: 1, openPositions: 1, pendingOrders: 1 });
    expect(summary['totalPnl']).toBeLessThan(0);
  });

  test('closing part of a position creates a sell intent {intentId, status, amount}', async () => {
    await hold(world, account, { blueprintId, amount: '0.001' });
    await openMarket(world);
    const intent = expectOk(await close({ tokenId: TOKEN, amount: 0.0004 })) as { intentId: string };
    expect(intent).toEqual({ intentId: expect.stringMatching(UUID), status: 'queued', amount: 0.0004 });
    expect(await read('/api/orders?side=sell')).toMatchObject([
      { id: intent.intentId, blueprintId, side: 'sell', amount: 0.0004 },
    ]);
    expect(await read('/api/portfolio/positions')).toMatchObject([
      { tokenId: TOKEN, amount: 0.001, amountClosing: 0.0004 },
    ]);
  });

  test('a position has exactly the documented fields', async () => {
    await hold(world, account, { blueprintId, amount: '0.001' });
    const [position] = (await read('/api/portfolio/positions')) as Record<string, unknown>[];
    expect(Object.keys(position ?? {}).sort()).toEqual(
      [
        'tokenId',
        'venue',
        'title',
        'amount',
        'amountClosing',
        'averageCost',
        'markPrice',
        'unrealizedPnl',
        'realizedPnl',
        'blueprintId',
        'openedAt',
        'updatedAt',
      ].sort(),
    );
    expect(position).toMatchObject({ tokenId: TOKEN, venue: 'crypto', amount: 0.001, blueprintId });
  });

  test('400: more than is held and free, with both numbers; 404: an instrument without a holding', async () => {
    await hold(world, account, { blueprintId, amount: '0.001' });
    await openMarket(world);
    const { message, issues } = expectRefusal(
      await close({ tokenId: TOKEN, amount: 0.002 }),
      400,
      'validation_failed',
    );
    expect(message).toMatch(/0\.002.*0\.001/);
    expect(issues).toContainEqual(expect.objectContaining<Partial<Issue>>({ path: '/amount' }));
    expectRefusal(await close({ tokenId: 'ETHUSDT', amount: 1 }), 404, 'not_found');
    const elsewhere = await addBlueprint(account);
    expectRefusal(await close({ tokenId: TOKEN, amount: 0.001, blueprintId: elsewhere }), 404, 'not_found');
  });

  test('400: "`tokenId` and `amount` are required, `amount` above 0", and on the step', async () => {
    await hold(world, account, { blueprintId, amount: '0.001' });
    await openMarket(world);
    for (const [body, path] of [
      [{ amount: 1 }, '/tokenId'],
      [{ tokenId: TOKEN }, '/amount'],
      [{ tokenId: TOKEN, amount: 0 }, '/amount'],
      [{ tokenId: TOKEN, amount: -0.001 }, '/amount'],
      [{ tokenId: '', amount: 1 }, '/tokenId'],
      [{ tokenId: TOKEN, amount: 0.000123456 }, '/amount'],
    ] as const) {
      const { issues } = expectRefusal(await close(body), 400, 'validation_failed');
      expect(issues[0]?.path).toBe(path);
    }
    expect(await read('/api/orders?side=sell')).toEqual([]);
  });

  test('503: no fresh quote, no close; 403: no bid to sell to', async () => {
    await hold(world, account, { blueprintId, amount: '0.001' });
    await openMarket(world, 'ETHUSDT');
    await openMarket(world);
    const stale = { as_of: new Date(Date.now() - 60_000) };
    await world.db.updateTable('quote').set(stale).where('token_id', '=', TOKEN).execute();
    expectRefusal(await close({ tokenId: TOKEN, amount: 0.001 }), 503, 'quote_unavailable');
    await openMarket(world);
    await world.db
      .updateTable('quote')
      .set({ bid: null, bid_size: null })
      .where('token_id', '=', TOKEN)
      .execute();
    expectRefusal(await close({ tokenId: TOKEN, amount: 0.001 }), 403, 'no_liquidity');
    expect(await read('/api/orders?side=sell')).toEqual([]);
  });

  test('no count of orders a minute refuses a close', async () => {
    await hold(world, account, { blueprintId, amount: '0.001' });
    expectOk(await account.http('PUT', '/api/risk-rules', { maxOrdersPerMinute: 0 }));
    await openMarket(world);
    expect(expectOk(await close({ tokenId: TOKEN, amount: 0.001 }))).toMatchObject({ status: 'queued' });
    expect(await read('/api/portfolio/positions')).toMatchObject([{ amount: 0.001, amountClosing: 0.001 }]);
  });

  test('403: a blueprint that holds a position is not deleted', async () => {
    await hold(world, account, { blueprintId, amount: '0.001' });
    expectRefusal(
      await account.http('DELETE', `/api/blueprints/${blueprintId}`),
      403,
      'blueprint_holds_positions',
    );
  });
});

describe('a preview', () => {
  const preview = (more: object) =>
    account.http('POST', '/api/risk-rules/preview', { side: 'buy', type: 'market', amount: 10, ...more });

  test('works for every listed instrument, used before or not', async () => {
    const { markets } = (await read('/api/venue-a?top=1')) as {
      markets: { outcomes: { tokenId: string; ask: number | null }[] }[];
    };
    const listed = markets[0]?.outcomes.find(({ ask }) => ask !== null);
    expect(expectOk(await preview({ tokenId: listed?.tokenId }))).toMatchObject({ amount: 10 });
    expect(expectOk(await preview({ tokenId: 'SOLUSDT', amount: 0.1 }))).toMatchObject({ amount: 0.1 });
    expect(
      await world.db
        .selectFrom('trade_order')
        .select('id')
        .where('account_id', '=', account.accountId)
        .execute(),
    ).toEqual([]);
  });

  test('404: an instrument that no venue knows, and a missing blueprint', async () => {
    const missing = expectRefusal(await preview({ tokenId: 'KXNOSUCH:yes' }), 404, 'not_found');
    expect(missing.message).toContain('KXNOSUCH:yes');
    const sale = { tokenId: TOKEN, side: 'sell', amount: 0.001, blueprintId: crypto.randomUUID() };
    expectRefusal(await preview(sale), 404, 'not_found');
  });
});

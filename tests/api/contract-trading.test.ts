/** The contract's orders and portfolio, on intents and positions that the engine itself has created. */

import { beforeEach, describe, expect, test } from 'vitest';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, hold, openMarket, pendingBuy, TOKEN } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

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

import { beforeEach, describe, expect, test } from 'vitest';
import { findDaysToOpen, openAccountDay } from '../../engine/books/accounting/day.ts';
import { equityHistory, storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { blueprintPerformance, resultsByBlueprint } from '../../engine/books/accounting/performance.ts';
import { listPositions, portfolioSummary } from '../../engine/books/accounting/portfolio.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import {
  listOrders,
  type OrderPage,
  type OrderPosition,
} from '../../engine/trading/orders/read/list-orders.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, NO, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

describe('the portfolio summary', () => {
  test('"`pendingOrders` counts intents that wait for approval; `openPositions` counts distinct instruments held"', async () => {
    const trader = await fixture.trader();
    const other = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
    await fixture.trade(trader, {});
    await fixture.trade(other, {});
    await fixture.trade(trader, { tokenId: NO });
    await fixture.setRules(trader, { requireApprovalAbove: 0 });
    await proposeIntent(trader.work(), intentOf(trader));
    expect(await portfolioSummary(trader.work())).toMatchObject({ openPositions: 2, pendingOrders: 1 });
    fixture.wait(15 * 60_000);
    expect(await portfolioSummary(trader.work())).toMatchObject({ pendingOrders: 0 });
  });

  test('"`totalPnl` is realized plus unrealized at marks, after fees"', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {}, { fee: '0.175' });
    await fixture.trade(trader, { side: 'sell', type: 'market', amount: '4' }, { price: '0.6', fee: '0.05' });
    await fixture.quote(YES, { bid: '0.7', ask: '0.71' });
    expect((await portfolioSummary(trader.work())).totalPnl).toBe('1.375');
  });

  test("a new account has zeros, by the database's clock too", async () => {
    const trader = await fixture.trader();
    const zeros = { runningBlueprints: 0, openPositions: 0, pendingOrders: 0, totalPnl: '0' };
    expect(await portfolioSummary(trader.work())).toEqual(zeros);
    expect(await portfolioSummary({ ...trader.work(), clock: databaseClock })).toEqual(zeros);
  });

  test('running blueprints are counted, deleted ones are not', async () => {
    const trader = await fixture.trader();
    const deleted = await fixture.addBlueprint(trader.accountId);
    await fixture.db
      .updateTable('blueprint')
      .set({ status: 'running' })
      .where('account_id', '=', trader.accountId)
      .execute();
    await fixture.db
      .updateTable('blueprint')
      .set({ deleted_at: fixture.now() })
      .where('id', '=', deleted)
      .execute();
    expect((await portfolioSummary(trader.work())).runningBlueprints).toBe(1);
  });
});

describe('positions', () => {
  test('"one per account, mode, instrument **and blueprint**", with `{tokenId, venue, title, amount, amountClosing, averageCost, markPrice, unrealizedPnl, realizedPnl, blueprintId, openedAt, updatedAt}`', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {}, { price: '0.4', fee: '0.1' });
    const openedAt = fixture.now().toISOString();
    fixture.wait(1_000);
    await fixture.trade(trader, { amount: '5' }, { price: '0.49', fee: '0.02' });
    expect(await listPositions(trader.work())).toEqual([
      {
        tokenId: YES,
        venue: 'venue-a',
        title: `Test ${YES}`,
        amount: '15',
        amountClosing: '0',
        averageCost: '0.43',
        markPrice: '0.48',
        unrealizedPnl: '0.75',
        realizedPnl: '-0.12',
        blueprintId: trader.blueprintId,
        openedAt,
        updatedAt: fixture.now().toISOString(),
      },
    ]);
  });

  test('a flat position disappears, and reopens with its realized result', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await fixture.trade(trader, { side: 'sell', type: 'market' }, { price: '0.6' });
    expect(await listPositions(trader.work())).toEqual([]);
    fixture.wait(5_000);
    await fixture.trade(trader, { amount: '1' });
    expect(await listPositions(trader.work())).toMatchObject([
      { amount: '1', realizedPnl: '1', openedAt: fixture.now().toISOString() },
    ]);
  });

  test('an instrument without a quote has no mark', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await fixture.db.deleteFrom('quote').where('token_id', '=', YES).execute();
    expect(await listPositions(trader.work())).toMatchObject([{ markPrice: null, unrealizedPnl: null }]);
  });
});

describe('equity', () => {
  test('"Equity = cash + positions at their marks (best bid)", kept "every 5 minutes from the first deploy"', async () => {
    const [trader, idle] = [await fixture.trader(), await fixture.trader()];
    await fixture.addDeployment(trader);
    await fixture.trade(trader, {}, { fee: '0.1' });
    const afterDeploy = new Date(fixture.now().getTime() + 1);
    const at = new Date(Math.floor(fixture.now().getTime() / 300_000) * 300_000);
    await storeEquityPoints(fixture.db, fixture.now());
    await storeEquityPoints(fixture.db, new Date(at.getTime() + 299_999));
    const [start, ...kept] = await equityHistory(trader.work(), '1d');
    expect(start).toMatchObject({ equity: '10000', cash: '10000', realizedPnl: '0', unrealizedPnl: '0' });
    expect(kept).toEqual([
      {
        at: afterDeploy.toISOString(),
        equity: '9999.7',
        cash: '9994.9',
        realizedPnl: '-0.1',
        unrealizedPnl: '-0.2',
      },
    ]);
    expect(await equityHistory(idle.work(), 'all')).toEqual([]);
  });

  test('a range covers its own span, oldest first, thinned to the size of a curve', async () => {
    const trader = await fixture.trader();
    await fixture.addDeployment(trader);
    const now = Math.floor(fixture.now().getTime() / 300_000) * 300_000;
    const days = 40;
    for (let point = 0; point <= days * 288; point += 36) {
      await fixture.db
        .insertInto('equity_point')
        .values({
          account_id: trader.accountId,
          mode: 'paper',
          at: new Date(now - point * 300_000),
          equity: String(10_000 + point),
          cash: '10000',
          realized_pnl: '0',
          unrealized_pnl: String(point),
        })
        .execute();
    }
    const counts = new Map<string, number>();
    for (const range of ['1d', '1w', '1m', 'all'] as const) {
      const points = await equityHistory(trader.work(), range);
      expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).sort());
      expect(points.at(-1)).toMatchObject({ at: new Date(now).toISOString(), equity: '10000' });
      counts.set(range, points.length);
    }
    expect(Object.fromEntries(counts)).toEqual({ '1d': 8, '1w': 56, '1m': 240, all: 322 });
  });

  test('a range begins with its first point, and that of a young account with its start', async () => {
    const trader = await fixture.trader();
    await fixture.addDeployment(trader);
    const now = Math.floor(fixture.now().getTime() / 7_200_000) * 7_200_000;
    for (const minutes of [0, 5, 10, 15]) {
      await fixture.db
        .insertInto('equity_point')
        .values({
          account_id: trader.accountId,
          mode: 'paper',
          at: new Date(now + minutes * 60_000),
          equity: String(10_000 - minutes),
          cash: '10000',
          realized_pnl: '0',
          unrealized_pnl: String(-minutes),
        })
        .execute();
    }
    for (const range of ['1d', '1w', '1m', 'all'] as const) {
      const points = await equityHistory(trader.work(), range);
      expect(points[0], range).toMatchObject({ equity: '10000', cash: '10000' });
      expect(points.at(-1), range).toMatchObject({ equity: '9985' });
      // A young account has few points: a longer range leaves none of them out.
      expect(points.map(({ equity }) => equity).slice(-3), range).toEqual(['9995', '9990', '9985']);
    }
    fixture.wait(now + 86_400_000 + 6 * 60_000 - fixture.now().getTime());
    const [first] = await equityHistory(trader.work(), '1d');
    expect(first?.equity).toBe('9990');
  });
});

describe('the day', () => {
  const unopenedAccounts = async () =>
    (await findDaysToOpen(fixture.db, fixture.now())).map(({ accountId }) => accountId);

  test('an account with holdings opens its day at their unrealized result, once', async () => {
    const [trader, idle] = [await fixture.trader(), await fixture.trader()];
    await fixture.trade(trader, {});
    expect(await unopenedAccounts()).not.toContain(trader.accountId);
    fixture.wait(86_400_000);
    await fixture.quote(YES, { bid: '0.4' });
    const unopened = await unopenedAccounts();
    expect(unopened).toContain(trader.accountId);
    expect(unopened).not.toContain(idle.accountId);
    await underAccountLock(trader.work(), (tx, now) => openAccountDay(tx, now));
    await fixture.quote(YES, { bid: '0.1' });
    await underAccountLock(trader.work(), (tx, now) => openAccountDay(tx, now));
    expect(await unopenedAccounts()).not.toContain(trader.accountId);
    const days = await fixture.db
      .selectFrom('account_day')
      .select(['day', 'opening_unrealized_pnl'])
      .where('account_id', '=', trader.accountId)
      .orderBy('day')
      .execute();
    expect(days.map(({ opening_unrealized_pnl }) => Number(opening_unrealized_pnl))).toEqual([0, -1]);
    expect(days[1]?.day).toBe(fixture.now().toISOString().slice(0, 10));
  });
});

describe('performance', () => {
  test('attributes realized, unrealized, fees and fills to each blueprint', async () => {
    const trader = await fixture.trader();
    const other = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
    await fixture.trade(trader, {}, { fee: '0.1' });
    await fixture.trade(trader, { side: 'sell', type: 'market', amount: '5' }, { price: '0.6', fee: '0.05' });
    await fixture.trade(trader, { tokenId: NO, amount: '1' });
    const of = (who: Trader) => blueprintPerformance(trader.work(), who.blueprintId);
    expect(await of(trader)).toEqual({ realizedPnl: '0.35', unrealizedPnl: '-0.12', fees: '0.15', fills: 3 });
    expect(await of(other)).toEqual({ realizedPnl: '0', unrealizedPnl: '0', fees: '0', fills: 0 });
  });

  test('of each blueprint states its last fill, whatever the instrument', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    fixture.wait(2_000);
    await fixture.trade(trader, { tokenId: NO, amount: '1' });
    const last = fixture.now();
    fixture.wait(2_000);
    expect(await resultsByBlueprint(trader.work())).toMatchObject([
      { blueprintId: trader.blueprintId, fills: 2, lastFillAt: last.toISOString() },
    ]);
  });

  test('a blueprint that is missing, foreign or deleted has none', async () => {
    const [trader, stranger] = [await fixture.trader(), await fixture.trader()];
    const missing = { code: 'not_found' };
    await expect(blueprintPerformance(trader.work(), crypto.randomUUID())).rejects.toMatchObject(missing);
    await expect(blueprintPerformance(stranger.work(), trader.blueprintId)).rejects.toMatchObject(missing);
    await fixture.db
      .updateTable('blueprint')
      .set({ deleted_at: fixture.now() })
      .where('id', '=', trader.blueprintId)
      .execute();
    await expect(blueprintPerformance(trader.work(), trader.blueprintId)).rejects.toMatchObject(missing);
  });
});

describe('the list of orders', () => {
  async function fiveOrders() {
    const trader = await fixture.trader();
    const other = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
    const made = [];
    for (const who of [trader, trader, other, trader, other]) {
      made.push(await proposeIntent(who.work(), intentOf(who, { amount: String(made.length + 1) })));
      fixture.wait(1_000);
    }
    return { trader, other, ids: made.map(({ id }) => id).reverse() };
  }
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  type Listed = { id: string; status: string; createdAt: string };
  const list = async (who: Trader, filter: Partial<Parameters<typeof listOrders>[1]> = {}) => {
    const { json } = await listOrders(who.work(), { limit: 500, after: null, ...filter });
    return JSON.parse(json) as Listed[];
  };

  test('"newest first", with the six fields a list item has', async () => {
    const { trader, ids: newestFirst } = await fiveOrders();
    const rows = await list(trader);
    expect(ids(rows)).toEqual(newestFirst);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      'amount',
      'blueprintId',
      'createdAt',
      'id',
      'side',
      'status',
    ]);
  });

  test('pages follow each other without gap or repeat', async () => {
    const { trader, ids: newestFirst } = await fiveOrders();
    const seen: string[] = [];
    let after: OrderPosition | null = null;
    do {
      const page: OrderPage = await listOrders(trader.work(), { limit: 2, after });
      seen.push(...ids(JSON.parse(page.json)));
      after = page.last;
    } while (after !== null);
    expect(seen).toEqual(newestFirst);
  });

  test('filters: status, side, blueprint, since and until', async () => {
    const { trader, other, ids: newestFirst } = await fiveOrders();
    expect(ids(await list(trader, { blueprintId: other.blueprintId }))).toEqual([
      newestFirst[0],
      newestFirst[2],
    ]);
    expect(ids(await list(trader, { side: 'sell' }))).toEqual([]);
    expect(ids(await list(trader, { status: 'queued' }))).toHaveLength(5);
    const third = new Date(fixture.now().getTime() - 3_000);
    expect(ids(await list(trader, { since: third }))).toEqual(newestFirst.slice(0, 3));
    expect(ids(await list(trader, { until: third }))).toEqual(newestFirst.slice(3));
  });

  test('a pending or queued order past its time reads and filters as expired before any job has run', async () => {
    const { trader, ids: newestFirst } = await fiveOrders();
    fixture.wait(27_000);
    const rows = await list(trader);
    expect(rows.map(({ status }) => status)).toEqual(['queued', 'queued', 'expired', 'expired', 'expired']);
    const expired = await list(trader, { status: 'expired' });
    expect(ids(expired)).toEqual(newestFirst.slice(2));
    const { json } = await listOrders(
      { ...trader.work(), clock: databaseClock },
      { limit: 500, after: null },
    );
    expect(JSON.parse(json)).toHaveLength(5);
  });
});

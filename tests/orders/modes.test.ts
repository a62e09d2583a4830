import { expect, test } from 'vitest';
import type { Mode } from '../../db/vocabulary.ts';
import { findDaysToOpen } from '../../engine/books/accounting/day.ts';
import { equityHistory, storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { blueprintPerformance, resultsByBlueprint } from '../../engine/books/accounting/performance.ts';
import { accountNow, listPositions, portfolioSummary } from '../../engine/books/accounting/portfolio.ts';
import { readActivity } from '../../engine/platform/audit/activity.ts';
import { audit } from '../../engine/platform/audit/audit.ts';
import { readAuditTrail } from '../../engine/platform/audit/audit-trail.ts';
import type { Work } from '../../engine/platform/context.ts';
import { eventsAfter, isVisibleIn } from '../../engine/platform/events/event-stream.ts';
import { priceSourceHistory } from '../../engine/platform/price-source.ts';
import { readRiskSnapshot } from '../../engine/risk/read-risk-snapshot.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { findQueued } from '../../engine/trading/orders/execution/queue.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder, declineOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { listOrders } from '../../engine/trading/orders/read/list-orders.ts';
import { orderOverview } from '../../engine/trading/orders/read/overview.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { readSellablePositions } from '../../engine/trading/orders/read/sellable-positions.ts';
import { settleHolding } from '../../engine/trading/positions/settle-holding.ts';
import { deleteBlueprint } from '../../engine/usecases/blueprints/drafts/delete.ts';
import {
  blueprintHeads,
  blueprintNames,
  listBlueprints,
} from '../../engine/usecases/blueprints/drafts/list.ts';
import { readBlueprint } from '../../engine/usecases/blueprints/drafts/row.ts';
import { updateBlueprint } from '../../engine/usecases/blueprints/drafts/update.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { failDeployment } from '../../engine/usecases/blueprints/running/fail.ts';
import { stopAllBlueprints, stopBlueprint } from '../../engine/usecases/blueprints/running/stop.ts';
import { readRules, updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import { openedForFile } from '../support/opened.ts';
import {
  fillingBroker,
  intentOf,
  LIVE_SETTINGS,
  openTradingFixture,
  type Trader,
  YES,
} from '../support/trading-fixture.ts';

/**
 * Two modes of one account in the same tables. Both trade the same instrument by the same blueprint. Actions in one mode must
 * leave every answer of the other unchanged, to the last digit.
 */

const fixture = openedForFile(openTradingFixture);

const inMode = (trader: Trader, mode: Mode): Work => ({ ...trader.work(), mode });

/** A trader with books in both modes. */
async function bothModes(): Promise<Trader> {
  const trader = await fixture.trader({ requireApprovalAbove: 9, maxOrderSize: 20 });
  await fixture.openLive(trader);
  await fixture.quote(YES);
  return trader;
}

/** All answers of a mode about an account: lists, sums, the inputs of the rules. */
async function answersOf(trader: Trader, mode: Mode) {
  const work = inMode(trader, mode);
  const now = fixture.now();
  const running = { limit: 100, after: null, status: 'running' } as const;
  return {
    orders: JSON.parse((await listOrders(work, { limit: 100, after: null })).json),
    overview: await orderOverview(work, { limit: 100 }),
    portfolio: await portfolioSummary(work),
    account: await accountNow(work),
    positions: await listPositions(work),
    performance: await blueprintPerformance(work, trader.blueprintId),
    earnings: await resultsByBlueprint(work),
    equity: await equityHistory(work, '1d'),
    activity: await readActivity(work, { limit: 100, after: null }),
    holdings: await readSellablePositions(work, { tokenId: YES, blueprintId: null, now }),
    snapshot: await readRiskSnapshot(work, { now }),
    prices: await priceSourceHistory(work),
    rules: await readRules(work),
    audit: await readAuditTrail(work, { limit: 100, after: null }),
    blueprint: await shownOf(work, trader.blueprintId),
    running: await listBlueprints(work, await blueprintHeads(work, running), running),
    names: (await blueprintNames(work)).map(({ updated_at: _at, ...name }) => name),
    events: (await eventsAfter(work, 0))?.filter((event) => isVisibleIn(event, mode)),
  };
}

/** A blueprint without the fields that all modes share: its version, and the time of its last change. */
async function shownOf(work: Work, id: string) {
  const { version: _version, updated_at: _at, ...fields } = await readBlueprint(work, id);
  return fields;
}

/** Runs the trader's blueprint in a mode. */
async function runIn(trader: Trader, mode: Mode): Promise<string> {
  const id = await fixture.addDeployment(trader, undefined, mode);
  await fixture.db
    .updateTable('blueprint')
    .set({ status: 'running', deployment_id: id })
    .where('id', '=', trader.blueprintId)
    .execute();
  return id;
}

/** Buys, sells a part, and leaves one order resting, one pending and one denied. */
async function trade(trader: Trader, mode: Mode): Promise<string[]> {
  const work = inMode(trader, mode);
  const broker = fillingBroker(fixture.now, { fee: '0.03' });
  const bought = await proposeIntent(work, intentOf(trader), LIVE_SETTINGS);
  await sendOrder(work, broker, bought.id);
  const sold = await proposeIntent(work, intentOf(trader, { side: 'sell', amount: '4' }), LIVE_SETTINGS);
  await sendOrder(work, broker, sold.id);
  const queued = await proposeIntent(work, intentOf(trader, { amount: '3' }), LIVE_SETTINGS);
  const pending = await proposeIntent(work, intentOf(trader, { amount: '20' }), LIVE_SETTINGS);
  const denied = await proposeIntent(work, intentOf(trader, { amount: '50' }), LIVE_SETTINGS);
  await storeEquityPoints(fixture.db, fixture.now());
  return [bought, sold, queued, pending, denied].map(({ id }) => id);
}

test.each<[Mode, Mode]>([
  ['live', 'paper'],
  ['paper', 'live'],
])('row 102: actions in %s leave every answer of %s unchanged', async (acting, other) => {
  const trader = await bothModes();
  await trade(trader, other);
  const before = await answersOf(trader, other);
  await trade(trader, acting);
  expect(await answersOf(trader, other)).toEqual(before);
  expect((await answersOf(trader, acting)).orders).toHaveLength(5);
});

test('row 102: an order of another mode answers exactly as a missing one, to every action', async () => {
  const trader = await bothModes();
  const [, , , pending = ''] = await trade(trader, 'live');
  const paper = inMode(trader, 'paper');
  const missing = { code: 'not_found' };
  await expect(readOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(approveOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(declineOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(cancelOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(sendOrder(paper, fillingBroker(fixture.now), pending)).rejects.toMatchObject(missing);
  expect(await fixture.order(pending)).toMatchObject({ status: 'pending', mode: 'live' });
});

test('row 102: a close sells nothing of another mode', async () => {
  const trader = await bothModes();
  await trade(trader, 'live');
  const close = closePosition(inMode(trader, 'paper'), { tokenId: YES, amount: '1' });
  await expect(close).rejects.toMatchObject({
    code: expect.stringMatching(/not_found|invalid|insufficient/),
  });
});

test('the queue names the mode of each order, and opened days and settled markets are those of their books', async () => {
  const trader = await bothModes();
  const [, , queued] = await trade(trader, 'live');
  const found = await findQueued(fixture.db, fixture.now(), 100);
  expect(found.filter(({ accountId }) => accountId === trader.accountId)).toEqual([
    { accountId: trader.accountId, mode: 'live', id: queued, connectionId: expect.any(String) },
  ]);
  fixture.wait(86_400_000);
  const days = (await findDaysToOpen(fixture.db, fixture.now())).filter(
    ({ accountId }) => accountId === trader.accountId,
  );
  expect(days).toEqual([{ accountId: trader.accountId, mode: 'live' }]);
  await fixture.quote(YES);
  expect(await settleHolding(inMode(trader, 'paper'), YES)).toBe(false);
});

test.each<[Mode, Mode]>([
  ['live', 'paper'],
  ['paper', 'live'],
])(
  'a change of rules in %s affects neither those of %s, nor its latch and its resting buys',
  async (acting, other) => {
    const trader = await bothModes();
    await fixture.db
      .updateTable('trading_account')
      .set({ tripped_at: fixture.now(), trip_reason: 'A test said so.' })
      .where('account_id', '=', trader.accountId)
      .execute();
    for (const mode of [acting, other])
      await audit(
        { ...trader.work(), mode },
        { action: 'daily_loss.tripped', subjectId: null, before: null, after: null, at: fixture.now() },
      );
    await fixture.db
      .updateTable('trading_account')
      .set({ tripped_at: null })
      .where('account_id', '=', trader.accountId)
      .where('mode', '=', acting)
      .execute();
    const before = await answersOf(trader, other);
    await updateRules(inMode(trader, acting), { maxOrderSize: 1, maxDailyLoss: 7 });
    expect(await answersOf(trader, other)).toEqual(before);
    expect(before.snapshot.trippedAt).not.toBeNull();
    expect(await readRules(inMode(trader, acting))).toMatchObject({ maxOrderSize: '1', maxDailyLoss: '7' });
  },
);

test.each<[Mode, Mode]>([
  ['live', 'paper'],
  ['paper', 'live'],
])(
  'a deployment in %s is stopped, failed, replaced and deleted there, never through %s',
  async (mode, other) => {
    const trader = await bothModes();
    const before = await answersOf(trader, other);
    const id = await runIn(trader, mode);
    expect(await answersOf(trader, other)).toEqual(before);
    const elsewhere = inMode(trader, other);
    await expect(stopBlueprint(elsewhere, trader.blueprintId)).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await stopAllBlueprints(elsewhere)).toBe(0);
    await failDeployment(elsewhere, id, 'A test said so.');
    await using market = await openMarketData({ mode: 'simulator' });
    const deploy = deployBlueprint(elsewhere, trader.blueprintId, { market, shardCount: 1 });
    await expect(deploy).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(mode),
    });
    await expect(deleteBlueprint(elsewhere, trader.blueprintId)).rejects.toMatchObject({
      code: 'blueprint_running',
    });
    expect(await readBlueprint(inMode(trader, mode), trader.blueprintId)).toMatchObject({
      status: 'running',
      deployment_id: id,
      error: null,
    });
    expect(await stopAllBlueprints(inMode(trader, mode))).toBe(1);
    expect(await answersOf(trader, other)).toEqual(before);
  },
);

test('a blueprint that ran on paper is unchanged there while it runs live, and can be edited', async () => {
  const trader = await bothModes();
  const paper = inMode(trader, 'paper');
  const first = await runIn(trader, 'paper');
  await stopBlueprint(paper, trader.blueprintId);
  fixture.wait(1_000);
  await runIn(trader, 'live');
  const seen = { status: 'stopped', deployment_id: first, error: null };
  expect(await readBlueprint(paper, trader.blueprintId)).toMatchObject(seen);
  expect(await stopBlueprint(paper, trader.blueprintId)).toMatchObject(seen);
  expect(await updateBlueprint(paper, trader.blueprintId, { name: 'Edited' })).toMatchObject({
    ...seen,
    name: 'Edited',
  });
  const live = updateBlueprint(inMode(trader, 'live'), trader.blueprintId, { name: 'Not while it runs' });
  await expect(live).rejects.toMatchObject({ code: 'blueprint_running' });
});

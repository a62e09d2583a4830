import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Mode } from '../../db/columns.ts';
import { findDaysToOpen } from '../../engine/accounting/day.ts';
import { equityHistory, keepEquityPoints } from '../../engine/accounting/equity.ts';
import { blueprintPerformance, pnlByBlueprint } from '../../engine/accounting/performance.ts';
import { accountNow, listPositions, portfolioSummary } from '../../engine/accounting/portfolio.ts';
import { readActivity } from '../../engine/activity.ts';
import type { Work } from '../../engine/context.ts';
import { approveOrder } from '../../engine/orders/entry/approve.ts';
import { closePosition } from '../../engine/orders/entry/close.ts';
import { proposeIntent } from '../../engine/orders/entry/propose.ts';
import { findQueued } from '../../engine/orders/execution/queue.ts';
import { sendOrder } from '../../engine/orders/execution/send.ts';
import { cancelOrder } from '../../engine/orders/lifecycle/cancel.ts';
import { declineOrder } from '../../engine/orders/lifecycle/decline.ts';
import { readHoldings } from '../../engine/orders/read/holdings.ts';
import { orderOverview } from '../../engine/orders/read/overview.ts';
import { listOrders, readOrder } from '../../engine/orders/read/read.ts';
import { settleAccount } from '../../engine/positions/settle.ts';
import { priceHistory } from '../../engine/price-source.ts';
import { readBasis } from '../../engine/risk/read-basis.ts';
import { type Desk, fillingBroker, intentOf, openDesk, type Trader, YES } from '../support/desk.ts';

/*
 * Two modes of one account in the same tables. Both trade the same instrument by the same blueprint; what one does must
 * leave every answer of the other as it was, to the last digit.
 */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const inMode = (trader: Trader, mode: Mode): Work => ({ ...trader.work(), mode });

/** A trader with books in both modes. */
async function bothModes(): Promise<Trader> {
  const trader = await desk.trader({ requireApprovalAbove: 9, maxOrderSize: 20 });
  await desk.openLive(trader);
  await desk.quote(YES);
  return trader;
}

/** All a mode answers about an account: lists, sums, what the rules see. */
async function answersOf(trader: Trader, mode: Mode) {
  const work = inMode(trader, mode);
  const now = desk.now();
  return {
    orders: await listOrders(work, { limit: 100, cursor: null }),
    overview: await orderOverview(work, { limit: 100 }),
    portfolio: await portfolioSummary(work),
    account: await accountNow(work),
    positions: await listPositions(work),
    performance: await blueprintPerformance(work, trader.blueprintId),
    earnings: await pnlByBlueprint(work),
    equity: await equityHistory(work, '1d'),
    activity: await readActivity(work, { limit: 100, after: null }),
    holdings: await readHoldings(work, { tokenId: YES, blueprintId: null, now }),
    basis: await readBasis(work, { now }),
    prices: await priceHistory(work),
  };
}

/** Buys, sells a part, leaves one resting, one waiting and one that was denied. */
async function trade(trader: Trader, mode: Mode): Promise<string[]> {
  const work = inMode(trader, mode);
  const broker = fillingBroker(desk.now, { fee: '0.03' });
  const bought = await proposeIntent(work, intentOf(trader));
  await sendOrder(work, broker, bought.id);
  const sold = await proposeIntent(work, intentOf(trader, { side: 'sell', amount: '4' }));
  await sendOrder(work, broker, sold.id);
  const queued = await proposeIntent(work, intentOf(trader, { amount: '3' }));
  const pending = await proposeIntent(work, intentOf(trader, { amount: '20' }));
  const denied = await proposeIntent(work, intentOf(trader, { amount: '50' }));
  await keepEquityPoints(desk.db, desk.now());
  return [bought, sold, queued, pending, denied].map(({ id }) => id);
}

test.each<[Mode, Mode]>([
  ['live', 'paper'],
  ['paper', 'live'],
])('what %s does leaves every answer of %s as it was', async (acting, other) => {
  const trader = await bothModes();
  await trade(trader, other);
  const before = await answersOf(trader, other);
  await trade(trader, acting);
  expect(await answersOf(trader, other)).toEqual(before);
  expect((await answersOf(trader, acting)).orders).toHaveLength(5);
});

test('an order of another mode answers exactly as a missing one, to every act', async () => {
  const trader = await bothModes();
  const [, , , pending = ''] = await trade(trader, 'live');
  const paper = inMode(trader, 'paper');
  const missing = { code: 'not_found' };
  await expect(readOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(approveOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(declineOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(cancelOrder(paper, pending)).rejects.toMatchObject(missing);
  await expect(sendOrder(paper, fillingBroker(desk.now), pending)).rejects.toMatchObject(missing);
  expect(await desk.order(pending)).toMatchObject({ status: 'pending', mode: 'live' });
});

test('a close sells nothing of another mode', async () => {
  const trader = await bothModes();
  await trade(trader, 'live');
  const close = closePosition(inMode(trader, 'paper'), { tokenId: YES, amount: '1' });
  await expect(close).rejects.toMatchObject({
    code: expect.stringMatching(/not_found|invalid|insufficient/),
  });
});

test('the queue names the mode of each order, and days open and markets settle by their books', async () => {
  const trader = await bothModes();
  const [, , queued] = await trade(trader, 'live');
  const found = await findQueued(desk.db, desk.now(), 100);
  expect(found.filter(({ accountId }) => accountId === trader.accountId)).toEqual([
    { accountId: trader.accountId, mode: 'live', id: queued },
  ]);
  desk.wait(86_400_000);
  const days = (await findDaysToOpen(desk.db, desk.now())).filter(
    ({ accountId }) => accountId === trader.accountId,
  );
  expect(days).toEqual([{ accountId: trader.accountId, mode: 'live' }]);
  await desk.quote(YES);
  expect(await settleAccount(inMode(trader, 'paper'), YES)).toBe(false);
});

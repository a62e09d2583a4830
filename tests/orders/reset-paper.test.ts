import { beforeEach, expect, test } from 'vitest';
import { accountStatistics } from '../../engine/books/accounting/books-statistics.ts';
import { equityHistory, storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { accountNow } from '../../engine/books/accounting/portfolio.ts';
import { resetPaper } from '../../engine/books/accounting/reset-paper.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const DAY_MS = 86_400_000;

const fixture = openedForFile(openTradingFixture);
beforeEach(() => fixture.quote(YES));

const entries = ({ accountId }: Trader) =>
  fixture.db
    .selectFrom('cash_entry')
    .select(['kind', 'amount'])
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['deposit', 'transfer'])
    .orderBy('kind')
    .execute();

/** A trader that has bought ten at 0.50 and sold them at 0.40. */
async function loser(): Promise<Trader> {
  const trader = await fixture.trader({});
  await fixture.trade(trader, {}, { price: '0.5', fee: '0' });
  await fixture.trade(trader, { side: 'sell', limitPrice: '0.4' }, { price: '0.4', fee: '0' });
  return trader;
}

test("a reset restores the account's first cash, once, as a transfer that its trail and the ledger explain", async () => {
  const trader = await loser();
  const work = trader.work();
  const both = await Promise.all([resetPaper(work), resetPaper(trader.work())]);
  expect(both.map(({ moved }) => moved).sort()).toEqual(['0', '1']);
  expect(both).toMatchObject([{ cash: '10000' }, { cash: '10000' }]);
  expect(await entries(trader)).toMatchObject([
    { kind: 'deposit', amount: expect.stringMatching(/^10000/) },
    { kind: 'transfer', amount: expect.stringMatching(/^1(\.0+)?$/) },
  ]);
  const trail = await fixture.db
    .selectFrom('audit_event')
    .select(['action', 'actor', 'after'])
    .where('account_id', '=', trader.accountId)
    .where('action', '=', 'cash.transfer')
    .execute();
  expect(trail).toMatchObject([{ actor: work.actor, after: { amount: '1', reason: expect.any(String) } }]);
  expect(await fixture.differences()).toEqual([]);
});

test('earlier results stay: a reset makes no profit, no step in the curve and no drawdown', async () => {
  const trader = await loser();
  await fixture.endDeployment(await fixture.addDeployment(trader));
  await storeEquityPoints(fixture.db, fixture.now());
  fixture.wait(DAY_MS);
  const before = await accountStatistics(trader.work(), 'all');
  await resetPaper(trader.work());
  fixture.wait(DAY_MS);
  await storeEquityPoints(fixture.db, fixture.now());
  expect(await accountNow(trader.work())).toMatchObject({ equity: '10000', totalPnl: '-1', dayPnl: '0' });
  const after = await accountStatistics(trader.work(), 'all');
  expect(after).toMatchObject({ netProfit: before.netProfit, totalReturn: before.totalReturn });
  const curve = await equityHistory(trader.work(), 'all');
  expect([curve.at(0)?.equity, curve.at(-1)?.equity]).toEqual(['10001', '10000']);
});

test('while something is held, open or running there is no reset, and the reason is stated', async () => {
  const trader = await fixture.trader({});
  await fixture.trade(trader, {});
  await expect(resetPaper(trader.work())).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('1 position'),
  });
  const other = await fixture.trader({});
  const order = await proposeIntent(other.work(), intentOf(other));
  await expect(resetPaper(other.work())).rejects.toMatchObject({
    message: expect.stringContaining('1 order'),
  });
  await cancelOrder(other.work(), order.id);
  await fixture.addDeployment(other);
  await expect(resetPaper(other.work())).rejects.toMatchObject({
    message: expect.stringContaining('1 strategy'),
  });
  expect(await entries(other)).toMatchObject([{ kind: 'deposit' }]);
});

test('a live account is not reset', async () => {
  const trader = await fixture.trader({});
  await fixture.openLive(trader);
  await expect(resetPaper({ ...trader.work(), mode: 'live' })).rejects.toMatchObject({
    code: 'invalid_state',
  });
});

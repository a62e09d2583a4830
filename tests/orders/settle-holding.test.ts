import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions, portfolioSummary } from '../../engine/books/accounting/portfolio.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { findHoldingsToSettle, settleHolding } from '../../engine/trading/positions/settle-holding.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { addInstrument, intentOf, openTradingFixture, type Trader } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let token: string;
let markets = 0;
beforeEach(async () => {
  token = `SETTLE-${++markets}:yes`;
  await addInstrument(fixture.db, token);
  await fixture.quote(token);
});

const settle = (trader: Trader) => settleHolding(fixture.workOf(trader.accountId, 'system'), token);
const state = (value: string | null) => fixture.closeMarket(token, value);

async function holder(amount = '10') {
  const trader = await fixture.trader();
  await fixture.trade(trader, { tokenId: token, amount }, { fee: '0.1' });
  return trader;
}

describe('settlement', () => {
  test('"once per market, as a ledger entry of kind `settlement`", in any process and however often', async () => {
    const trader = await holder();
    await state('1');
    await Promise.all(Array.from({ length: 20 }, () => settle(trader)));
    const entries = await fixture.db
      .selectFrom('cash_entry')
      .select(['kind', 'amount'])
      .where('account_id', '=', trader.accountId)
      .where('kind', '=', 'settlement')
      .execute();
    expect(entries).toEqual([{ kind: 'settlement', amount: '10.000000000000' }]);
  });

  test('"after live orders in it are canceled": one at the venue is waited for', async () => {
    const trader = await holder();
    const broker = new ScriptedBroker(fixture.now);
    const resting = await proposeIntent(trader.work(), intentOf(trader, { tokenId: token, amount: '3' }));
    await sendOrder(trader.work(), broker, resting.id);
    const { intentId } = await closePosition(trader.work(), { tokenId: token, amount: '2' });
    await state('1');
    expect(await settle(trader)).toBe(false);
    expect((await fixture.order(intentId)).status).toBe('canceled');
    expect((await fixture.order(resting.id)).cancel_requested_at).not.toBeNull();
    expect(await settle(trader)).toBe(false);
    expect((await listPositions(trader.work()))[0]?.amount).toBe('10');
    await cancelAtVenue(trader.work(), broker, resting.id);
    expect(await settle(trader)).toBe(true);
    expect(await listPositions(trader.work())).toEqual([]);
  });

  test('a fill that comes after the settlement is settled too', async () => {
    const trader = await holder();
    const broker = new ScriptedBroker(fixture.now);
    const late = await proposeIntent(trader.work(), intentOf(trader, { tokenId: token, amount: '3' }));
    await sendOrder(trader.work(), broker, late.id);
    await broker.cancel({ id: late.id });
    await syncOrder(trader.work(), broker, late.id);
    await state('1');
    await settle(trader);
    await applyReport(trader.work(), late.id, broker.fill(late.id, { amount: '3' }, 'canceled'));
    expect((await listPositions(trader.work()))[0]?.amount).toBe('3');
    expect(await settle(trader)).toBe(true);
    expect(await listPositions(trader.work())).toEqual([]);
  });
});

describe('what is due for settlement', () => {
  test('are accounts that hold a settled instrument, until they are paid', async () => {
    const trader = await holder();
    const due = { accountId: trader.accountId, mode: 'paper', tokenId: token };
    await state(null);
    expect(await findHoldingsToSettle(fixture.db)).not.toContainEqual(due);
    await state('1');
    expect(await findHoldingsToSettle(fixture.db)).toContainEqual(due);
    await settle(trader);
    expect((await portfolioSummary(trader.work())).totalPnl).toBe('4.9');
    expect(await findHoldingsToSettle(fixture.db)).not.toContainEqual(due);
  });

  test('is also a live order alone', async () => {
    const trader = await fixture.trader();
    const { id } = await proposeIntent(trader.work(), intentOf(trader, { tokenId: token }));
    await state('1');
    expect(await findHoldingsToSettle(fixture.db)).toContainEqual({
      accountId: trader.accountId,
      mode: 'paper',
      tokenId: token,
    });
    expect(await settle(trader)).toBe(true);
    expect((await fixture.order(id)).status).toBe('canceled');
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { previewOrder } from '../../engine/usecases/risk-rules/preview.ts';
import { riskUsage } from '../../engine/usecases/risk-rules/usage.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, NO, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeAll(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

describe('preview and usage', () => {
  test('"the receipt a proposed order would get, without effect"', async () => {
    const trader = await fixture.trader({ requireApprovalAbove: 4 });
    await fixture.trade(trader, { amount: '5' });
    for (const proposal of [
      { tokenId: YES, side: 'buy', amount: '10', type: 'limit', limitPrice: '0.5' },
      { tokenId: YES, side: 'buy', amount: '10', type: 'market' },
      { tokenId: YES, side: 'sell', amount: '5', type: 'market', blueprintId: trader.blueprintId },
      { tokenId: YES, side: 'sell', amount: '6', type: 'market', blueprintId: trader.blueprintId },
    ] as const) {
      const preview = await previewOrder(trader.work(), proposal);
      const { blueprintId: _, ...intent } = { blueprintId: '', ...proposal };
      const order = await proposeIntent(trader.work(), intentOf(trader, intent));
      expect(preview.receipt).toEqual(order.receipt);
      expect(preview.verdict).toBe(order.status);
      expect(preview.denial?.message ?? null).toBe(order.reason);
      expect([preview.amount, preview.limitPrice, preview.size, preview.worstFee].map(Number)).toEqual(
        [order.amount, order.limit_price, order.size, order.worst_fee].map(Number),
      );
    }
  });

  test('a preview stores nothing', async () => {
    const trader = await fixture.trader();
    await previewOrder(trader.work(), { tokenId: YES, side: 'buy', amount: '10', type: 'market' });
    for (const table of ['trade_order', 'account_day', 'order_transition'] as const) {
      const rows = await fixture.db
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '=', trader.accountId)
        .execute();
      expect(rows).toEqual([]);
    }
  });

  test('usage states "how much of each rule is used now"', async () => {
    const trader = await fixture.trader({ cooldownAfterLossSec: 60, maxDailyLoss: 10 });
    await fixture.trade(trader, {});
    await fixture.trade(trader, { side: 'sell', limitPrice: '0.4', amount: '5' });
    await proposeIntent(trader.work(), intentOf(trader, { tokenId: NO, amount: '2', side: 'buy' }));
    fixture.wait(20_000);
    const { lines, rulesVersion } = await riskUsage(trader.work());
    expect(rulesVersion).toBe(2);
    expect(lines).toEqual([
      { rule: 'maxOrderSize', limit: '1000000', used: null, headroom: null },
      { rule: 'requireApprovalAbove', limit: '1000000', used: null, headroom: null },
      { rule: 'maxOpenPositions', limit: '1000', used: '1', headroom: '999' },
      { rule: 'maxOrdersPerMinute', limit: '100000', used: '1', headroom: '99999' },
      { rule: 'maxDailyLoss', limit: '10', used: '0.6', headroom: '9.4' },
      {
        rule: 'cooldownAfterLossSec',
        limit: '60',
        used: '40',
        headroom: '20',
        note: expect.stringContaining('last loss at'),
      },
      { rule: 'buyingPower', limit: '9997', used: '0', headroom: '9997' },
    ]);
  });
});

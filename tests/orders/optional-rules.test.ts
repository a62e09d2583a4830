import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { riskUsage } from '../../engine/usecases/risk-rules/usage.ts';
import { openedForFile } from '../support/opened.ts';
import { BTC, intentOf, NO, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

// Closing a fixture verifies the ledger, which evaluates every receipt a second time.
const fixture = openedForFile(openTradingFixture);
beforeAll(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
  await fixture.quote(BTC);
});

const lineOf = (receipt: unknown, rule: string) =>
  (receipt as { lines: { rule: string; verdict: string; actual: string }[] }).lines.find(
    (line) => line.rule === rule,
  );
const usedOf = async (trader: Trader, rule: string) =>
  (await riskUsage(trader.work())).lines.find((line) => line.rule === rule);

describe('an optional rule', () => {
  test('its line on a tampered receipt is found', async () => {
    const trader = await fixture.trader({ maxPositionSize: 100 });
    const { id } = await proposeIntent(trader.work(), intentOf(trader));
    const { receipt } = await fixture.order(id);
    const forged = JSON.stringify(receipt).replace('"maxPositionSize","limit":"100","actual":"', '$&9');
    expect(forged).not.toBe(JSON.stringify(receipt));
    const write = (json: string) =>
      fixture.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql`update trade_order set receipt = ${json}::jsonb where id = ${id}`.execute(tx);
      });
    await write(forged);
    expect(JSON.stringify(await fixture.differences())).toContain('receipt of');
    await write(JSON.stringify(receipt));
  });
});

describe('maxPositionSize', () => {
  test('bounds the holding and open buys of one instrument, never a sell, and again at approval', async () => {
    const trader = await fixture.trader({ maxPositionSize: 11 });
    await fixture.trade(trader, { amount: '8' });
    const second = await proposeIntent(trader.work(), intentOf(trader, { amount: '8' }));
    expect(second.status).toBe('queued');
    const third = await proposeIntent(trader.work(), intentOf(trader, { amount: '8' }));
    expect([third.status, third.reason_code]).toEqual(['denied', 'maxPositionSize']);
    const elsewhere = await proposeIntent(trader.work(), intentOf(trader, { tokenId: NO, amount: '8' }));
    expect(elsewhere.status).toBe('queued');
    await updateRules(trader.work(), { maxPositionSize: 0 });
    const sell = await proposeIntent(trader.work(), intentOf(trader, { side: 'sell', amount: '4' }));
    expect(sell.status).toBe('queued');
    expect(lineOf(sell.receipt, 'maxPositionSize')).toMatchObject({ verdict: 'skipped' });
    expect(await usedOf(trader, 'maxPositionSize')).toMatchObject({ limit: '0' });

    await updateRules(trader.work(), { maxPositionSize: null, requireApprovalAbove: 1 });
    const waiting = await proposeIntent(trader.work(), intentOf(trader));
    expect(waiting.status).toBe('pending');
    await updateRules(trader.work(), { maxPositionSize: 5 });
    await expect(approveOrder(trader.work(), waiting.id)).rejects.toThrow('maxPositionSize is 5 USD');
  });
});

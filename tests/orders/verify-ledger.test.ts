import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRows } from '../../engine/accounting/ledger/rows.ts';
import { verifyAccount } from '../../engine/accounting/ledger/verify-account.ts';
import { settleAccount } from '../../engine/accounting/settle.ts';
import { approveOrder } from '../../engine/orders/approve.ts';
import { closePosition } from '../../engine/orders/close.ts';
import { expireOrder } from '../../engine/orders/expire.ts';
import { proposeIntent } from '../../engine/orders/propose.ts';
import { sendOrder } from '../../engine/orders/send.ts';
import { type Desk, fillingBroker, intentOf, NO, openDesk, type Trader, YES } from '../support/desk.ts';

let desk: Desk;
let trader: Trader;
/**
 * An account with all there can be: buys of two blueprints, a reserved exit, a close over two positions approved later,
 * narrowed and wide closes, fees, a loss, denials, an intent that expires, a second instrument that is settled, an order
 * exactly a minute after another, and a second day.
 */
beforeAll(async () => {
  desk = await openDesk();
  await desk.quote(YES);
  await desk.quote(NO);
  trader = await desk.trader();
  const other = { ...trader, blueprintId: await desk.addBlueprint(trader.accountId) };
  const deploymentId = await desk.addDeployment(trader);
  const close = (amount: string, blueprintId?: string) =>
    closePosition(
      { ...trader.work(), actor: 'key:tester' },
      { tokenId: YES, amount, ...(blueprintId && { blueprintId }) },
    );
  const exit = (amount: string) =>
    proposeIntent(
      trader.work(),
      intentOf(trader, {
        deploymentId,
        nodeId: 'exit',
        stepAt: desk.now(),
        origin: 'exit',
        side: 'sell',
        type: 'market',
        amount,
        preapprovedRelease: 1,
      }),
    );

  await desk.trade(trader, { amount: '12' }, { fee: '0.175' });
  desk.wait(1_000);
  await desk.trade(other, { amount: '7' }, { price: '0.333333333333', fee: '0.1' });
  await desk.trade(other, { tokenId: NO, amount: '5' }, { price: '0.4' });
  desk.wait(60_000);
  await desk.quote(YES);
  await desk.quote(NO);
  await desk.setRules(trader, { requireApprovalAbove: '0.5', maxOrderSize: 6, maxOrdersPerMinute: 6 });
  await exit('2');
  const { intentId } = await close('13');
  await close('1', other.blueprintId);
  desk.wait(1_000);
  await approveOrder(trader.work(), intentId);
  await sendOrder(trader.work(), fillingBroker(desk.now, { price: '0.46', fee: '0.05' }), intentId);
  await proposeIntent(trader.work(), intentOf(trader, { amount: '100' }));
  const waiting = await proposeIntent(trader.work(), intentOf(trader, { amount: '2' }));
  desk.wait(16 * 60_000);
  await desk.quote(YES, { bid: '0.4' });
  await expireOrder(trader.work(), waiting.id);
  await close('1');
  await desk.setRules(trader, { maxOrdersPerMinute: 0 });
  await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
  desk.wait(12 * 3_600_000);
  await desk.quote(YES, { bid: '0.3' });
  await desk.quote(NO);
  await desk.setRules(trader, { requireApprovalAbove: 9, maxOrdersPerMinute: 60, cooldownAfterLossSec: 0 });
  await desk.trade(other, { amount: '3' }, { amount: '2', fee: '0.01' });
  await desk.trade(trader, { side: 'sell', type: 'market', amount: '1' }, { price: '0.3' });
  await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
  await desk.closeMarket(NO, '1');
  await settleAccount(trader.work(), NO);
  await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
});
beforeEach(async () => {
  expect(await desk.differences()).toEqual([]);
});
afterAll(() => desk.close());

/** What the statement says after something was done to the database behind the service's back. */
async function differencesAfter(tampering: string): Promise<string[]> {
  const trx = await desk.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(trx);
    const { numAffectedRows } = await sql.raw(tampering).execute(trx);
    expect(Number(numAffectedRows)).toBeGreaterThan(0);
    const differences = verifyAccount(await readRows(trx, trader.accountId, 'paper'));
    return [...new Set(differences.map(({ subject, field }) => `${subject}: ${field}`))];
  } finally {
    await trx.rollback().execute();
  }
}

describe("the statement finds what was changed behind the service's back", () => {
  test.each([
    ['a position', `update position set amount = amount + 1`, 'position: amount'],
    ['cash', `update trading_account set cash = cash + 0.000000000001`, 'trading_account: cash'],
    ['a deleted cash entry', `delete from cash_entry where kind = 'fee'`, 'cash_entry: amount'],
    ['a deleted fill', `delete from fill where side = 'sell'`, 'trade_order: filledAmount'],
    ['a status', `update trade_order set status = 'canceled' where status = 'filled'`, 'trade_order: status'],
    ['a reservation', `update order_allocation set filled_amount = 0`, 'order_allocation: filledAmount of'],
    ['a deleted step', `delete from order_transition where number = 2`, 'order_transition: number'],
    [
      'a line of a receipt',
      `update trade_order set receipt = jsonb_set(receipt, '{lines,3,actual}', '"9"')`,
      'trade_order: receipt of',
    ],
    [
      'rules that were not in force',
      `update trade_order set receipt = jsonb_set(receipt, '{rulesVersion}', '3') where side = 'buy'`,
      'trade_order: rulesVersion',
    ],
  ])('%s', async (_what, tampering, found) => {
    expect(await differencesAfter(tampering)).toContainEqual(expect.stringContaining(found));
  });
});

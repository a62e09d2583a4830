import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRows } from '../../engine/accounting/ledger/rows.ts';
import { verifyAccount } from '../../engine/accounting/verify-ledger.ts';
import { approveOrder } from '../../engine/orders/approve.ts';
import { closePosition } from '../../engine/orders/close.ts';
import { proposeIntent } from '../../engine/orders/propose.ts';
import { sendOrder } from '../../engine/orders/send.ts';
import { type Desk, fillingBroker, intentOf, openDesk, type Trader, YES } from '../support/desk.ts';

let desk: Desk;
let trader: Trader;
/** An account with all there can be: buys, an approved close over two positions, fees, a loss, a denial. */
beforeAll(async () => {
  desk = await openDesk();
  await desk.quote(YES);
  trader = await desk.trader();
  const other = { ...trader, blueprintId: await desk.addBlueprint(trader.accountId) };
  await desk.trade(trader, {}, { fee: '0.175' });
  desk.wait(1_000);
  await desk.trade(other, { amount: '7' }, { price: '0.333333333333', fee: '0.1' });
  await desk.setRules(trader, { requireApprovalAbove: 1, maxOrderSize: 6 });
  const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '13' });
  desk.wait(1_000);
  await approveOrder(trader.work(), intentId);
  await sendOrder(trader.work(), fillingBroker(desk.now, { price: '0.46', fee: '0.05' }), intentId);
  await proposeIntent(trader.work(), intentOf(trader, { amount: '100' }));
  await proposeIntent(trader.work(), intentOf(trader, { amount: '2' }));
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

const SOLD = `(select id from trade_order where side = 'sell' and status = 'filled')`;

describe('the statement finds what was changed behind its back', () => {
  test.each([
    ['a position', `update position set amount = amount + 1`, 'position: amount'],
    ['its cost', `update position set total_cost = total_cost + 0.000000000001`, 'position: totalCost'],
    ['its profit', `update position set realized_pnl = 0`, 'position: realizedPnl'],
    ['its fees', `update position set fees = 0`, 'position: fees'],
    ['its count of fills', `update position set fill_count = 9`, 'position: fillCount'],
    ['cash', `update trading_account set cash = cash + 0.000000000001`, 'trading_account: cash'],
    ['realized profit', `update trading_account set realized_pnl = 1`, 'trading_account: realizedPnl'],
    ['the last loss', `update trading_account set last_loss_at = null`, 'trading_account: lastLossAt'],
    ['a cash entry', `update cash_entry set amount = -1 where kind = 'fee'`, 'cash_entry: amount'],
    ['a deleted cash entry', `delete from cash_entry where kind = 'fee'`, 'cash_entry: amount'],
    ['a fill', `update fill set amount = amount + 1 where order_id = ${SOLD}`, 'trade_order: filledAmount'],
    ['its price', `update fill set price = price + 0.01 where side = 'buy'`, 'fill_allocation: cost'],
    ['its fee', `update fill set fee = 0 where side = 'buy'`, 'fill_allocation: fee'],
    ['a deleted fill', `delete from fill where order_id = ${SOLD}`, 'trade_order: filledAmount'],
    ['a part of a fill', `update fill_allocation set cost = cost + 1`, 'fill_allocation: cost'],
    ['more sold than held', `update fill_allocation set amount = 99 where number = 2`, 'position: amount'],
    ['a status', `update trade_order set status = 'canceled' where id = ${SOLD}`, 'trade_order: status'],
    ['the fees of an order', `update trade_order set fees = 9 where id = ${SOLD}`, 'trade_order: fees'],
    [
      'its notional',
      `update trade_order set filled_notional = 9 where id = ${SOLD}`,
      'trade_order: filledNotional',
    ],
    ['a reservation', `update order_allocation set filled_amount = 0`, 'order_allocation: filledAmount of'],
    ['a step', `update order_transition set to_status = 'open' where number = 2`, 'order_transition: step 2'],
    ['a deleted step', `delete from order_transition where number = 2`, 'order_transition: number'],
    ['a day', `update account_day set realized_pnl = 0`, 'account_day: realizedPnl'],
    [
      "a day's opening",
      `update account_day set opening_unrealized_pnl = 5`,
      'account_day: opening seen by order',
    ],
    [
      'a line of a receipt',
      `update trade_order set receipt = jsonb_set(receipt, '{lines,3,actual}', '"9"')`,
      'trade_order: receipt of',
    ],
    [
      'the verdict of a receipt',
      `update trade_order set receipt = jsonb_set(receipt, '{verdict}', '"queued"') where status = 'denied'`,
      'trade_order: receipt of',
    ],
    [
      'an approval',
      `update trade_order set approval_receipt = jsonb_set(approval_receipt, '{lines,1,verdict}', '"wait"') where approval_receipt is not null`,
      'trade_order: receipt of',
    ],
    [
      'the cash of a receipt',
      `update trade_order set receipt = jsonb_set(receipt, '{cash}', '"1"')`,
      'trade_order: cash on the receipt',
    ],
    [
      'its reserved cash',
      `update trade_order set receipt = jsonb_set(receipt, '{reserved}', '"1"')`,
      'trade_order: reserved on the receipt',
    ],
    [
      'its realized profit',
      `update trade_order set receipt = jsonb_set(receipt, '{day,realizedPnl}', '"1"')`,
      'trade_order: realizedPnl on the receipt',
    ],
    [
      'its time',
      `update trade_order set receipt = jsonb_set(receipt, '{decidedAt}', '"2026-11-20T12:00:09.000Z"')`,
      'trade_order: time of the receipt',
    ],
    [
      'its marks',
      `update trade_order set receipt = jsonb_set(receipt, '{marks}', '[]') where side = 'sell'`,
      `trade_order: amount of ${YES} on the receipt`,
    ],
    [
      'its rules',
      `update trade_order set receipt = jsonb_set(receipt, '{rules,maxOrderSize}', '"7"')`,
      'trade_order: rules of version',
    ],
    [
      'rules that were not in force',
      `update trade_order set receipt = jsonb_set(receipt, '{rulesVersion}', '3'), rules_version = 3 where side = 'buy'`,
      'trade_order: rulesVersion',
    ],
    ['what an order asked for', `update trade_order set size = size * 2`, 'trade_order: receipt of'],
  ])('%s', async (_what, tampering, found) => {
    expect(await differencesAfter(tampering)).toContainEqual(expect.stringContaining(found));
  });
});

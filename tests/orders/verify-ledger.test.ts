import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepEquityPoints } from '../../engine/accounting/equity.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { approveOrder } from '../../engine/orders/entry/approve.ts';
import { closePosition } from '../../engine/orders/entry/close.ts';
import { proposeIntent } from '../../engine/orders/entry/propose.ts';
import { sendOrder } from '../../engine/orders/execution/send.ts';
import { expireOrder } from '../../engine/orders/lifecycle/expire.ts';
import { settleAccount } from '../../engine/positions/settle.ts';
import { type Desk, fillingBroker, intentOf, NO, openDesk, type Trader, YES } from '../support/desk.ts';
import { differencesAfter } from '../support/tampering.ts';

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
  await keepEquityPoints(desk.db, desk.now());
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
  await keepEquityPoints(desk.db, desk.now());
});
beforeEach(async () => {
  expect(await desk.differences()).toEqual([]);
});
afterAll(() => desk.close());

const found = async (tampering: string) =>
  (await differencesAfter(desk, trader, tampering)).map(({ subject, field }) => `${subject}: ${field}`);

const SWAPPED_BLUEPRINTS = `update position set blueprint_id = gen_random_uuid()`;
const FORGED_CHANGE = `insert into audit_event (account_id, id, at, actor, action, mode, before, after)
  select account_id, gen_random_uuid(), at, actor, action, mode, after, jsonb_set(after, '{version}', to_jsonb((after ->> 'version')::int + 1))
  from audit_event where action = 'risk_rules.changed' order by at desc limit 1`;
const FORGED_DEPOSIT = `with deposit as (
    insert into cash_entry (account_id, id, mode, kind, amount, at)
    select account_id, gen_random_uuid(), mode, kind, 1, at from cash_entry where kind = 'deposit' returning account_id)
  update trading_account set cash = cash + 1 where account_id in (select account_id from deposit)`;
const FUTURE_DAY = `insert into account_day (account_id, mode, day, opening_unrealized_pnl)
  select account_id, mode, '2099-01-01', 0 from trading_account`;

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
    ['whose position it is', SWAPPED_BLUEPRINTS, 'position: blueprintId of fill'],
    [
      'when a position was opened',
      `update position set opened_at = opened_at - interval '1 day'`,
      'position: openedAt',
    ],
    [
      'who approved',
      `update trade_order set approved_by = 'session:other' where approved_by is not null`,
      'trade_order: approvedBy',
    ],
    [
      'an approval nobody gave',
      `update trade_order set approved_by = 'session:other' where approved_by is null`,
      'trade_order: approvedBy',
    ],
    [
      'who approved, in the log',
      `update order_transition set actor = 'session:other' where from_status = 'pending'`,
      'trade_order: approvedBy',
    ],
    [
      'when it was queued',
      `update trade_order set queued_at = queued_at - interval '1 hour'`,
      'trade_order: queuedAt',
    ],
    [
      'the reason of a denial',
      `update trade_order set reason = 'because' where status = 'denied'`,
      'trade_order: reason',
    ],
    [
      'when it ended',
      `update trade_order set ended_at = created_at where status = 'filled'`,
      'trade_order: endedAt',
    ],
    [
      'the blueprint of an order',
      `update trade_order set blueprint_id = '00000000-0000-7000-8000-000000000001' where side = 'buy'`,
      'position: blueprintId of fill',
    ],
    ['a price past the limit', `update fill set price = price + 0.5 where side = 'buy'`, 'fill: price'],
    [
      'the side of a trade',
      `update fill set side = 'sell' where id in (select id from fill where side = 'buy' limit 1)`,
      'fill: trade',
    ],
    ['a rule', `update risk_rules set max_order_size = 999999`, 'risk_rules: rules'],
    [
      'a rule and its version',
      `update risk_rules set max_order_size = 999999, version = version + 1`,
      'risk_rules: rules',
    ],
    [
      'a change of rules that is gone',
      `delete from audit_event where action = 'risk_rules.changed' and (after ->> 'version')::int = 3`,
      'audit_event: rules of version',
    ],
    ['a change of rules there never was', FORGED_CHANGE, 'risk_rules: rules'],
    ['a deposit out of nothing', FORGED_DEPOSIT, 'cash_entry: deposits'],
    [
      'a settlement at another value',
      `update fill set price = 0.5 where kind = 'settlement'`,
      'fill: settlement price',
    ],
    [
      'what the venue stated, after paying',
      `update instrument set settlement_value = 0 where settlement_value is not null`,
      'fill: settlement price',
    ],
    ['a day that has not begun', FUTURE_DAY, 'account_day: day'],
    [
      'the opening of a day at an impossible loss',
      `update account_day set opening_unrealized_pnl = -100000`,
      'account_day: openingUnrealizedPnl',
    ],
    ['a point of the curve', `update equity_point set equity = equity + 1`, 'equity_point: equity'],
    ['its cash', `update equity_point set cash = cash - 1, equity = equity - 1`, 'equity_point: equity'],
    ['the drawing of a release', `update release_body set visual = '{}'`, 'release_body: hash'],
    ['an event that is gone', `delete from account_event where seq = 3`, 'account_event: rows'],
    [
      'the last event',
      `delete from account_event where seq = (select max(seq) from account_event)`,
      'account_event: last number',
    ],
    [
      'a denied order that is gone',
      `delete from trade_order where status = 'denied'`,
      'order_transition: row',
    ],
    ['a receipt that was emptied', `update trade_order set receipt = '{}'`, 'trade_order: receipt'],
    ['an account that is gone', `delete from trading_account`, 'trading_account: row'],
  ])('%s', async (_what, tampering, difference) => {
    expect(await found(tampering)).toContainEqual(expect.stringContaining(difference));
  });
});

test('money of an account that has no row of its own is a difference, and no account is passed over', async () => {
  const stranger = randomUUID();
  const alter = (statement: RawBuilder<unknown>) =>
    desk.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await statement.execute(trx);
    });
  await alter(sql`insert into cash_entry (account_id, id, mode, kind, amount, at)
    values (${stranger}, gen_random_uuid(), 'live', 'deposit', 1, now())`);
  const differences = await verifyLedger(desk.db, async () => desk.now());
  await alter(sql`delete from cash_entry where account_id = ${stranger}`);
  expect(differences).toMatchObject([{ accountId: stranger, subject: 'trading_account', actual: 'gone' }]);
});

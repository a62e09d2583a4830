import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeEquityPoints } from '../../engine/books/accounting/equity.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { settleHolding } from '../../engine/trading/positions/settle-holding.ts';
import { differencesAfter } from '../support/ledger-differences.ts';
import { openedForFile } from '../support/opened.ts';
import {
  fillingBroker,
  intentOf,
  NO,
  openTradingFixture,
  type Trader,
  YES,
} from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let trader: Trader;
/**
 * An account with every kind of row. It has buys of two blueprints, and a close over two positions approved later. It has
 * narrowed and wide closes, a reserved exit, fees, a loss and denials. It has an intent that expires, a second instrument that
 * is settled, and a second day. One order comes exactly a minute after another.
 */
beforeAll(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
  trader = await fixture.trader();
  const other = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
  const deploymentId = await fixture.addDeployment(trader);
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
        stepAt: fixture.now(),
        origin: 'exit',
        side: 'sell',
        type: 'market',
        amount,
        preapprovedRelease: 1,
      }),
    );

  await fixture.trade(trader, { amount: '12' }, { fee: '0.175' });
  fixture.wait(1_000);
  await fixture.trade(other, { amount: '7' }, { price: '0.333333333333', fee: '0.1' });
  await fixture.trade(other, { tokenId: NO, amount: '5' }, { price: '0.4' });
  await storeEquityPoints(fixture.db, fixture.now());
  fixture.wait(60_000);
  await fixture.quote(YES);
  await fixture.quote(NO);
  await fixture.setRules(trader, { requireApprovalAbove: '0.5', maxOrderSize: 6, maxOrdersPerMinute: 6 });
  await exit('2');
  const { intentId } = await close('13');
  await close('1', other.blueprintId);
  fixture.wait(1_000);
  await approveOrder(trader.work(), intentId);
  await sendOrder(trader.work(), fillingBroker(fixture.now, { price: '0.46', fee: '0.05' }), intentId);
  await proposeIntent(trader.work(), intentOf(trader, { amount: '100' }));
  const waiting = await proposeIntent(trader.work(), intentOf(trader, { amount: '2' }));
  fixture.wait(16 * 60_000);
  await fixture.quote(YES, { bid: '0.4' });
  await expireOrder(trader.work(), waiting.id);
  await close('1');
  await fixture.setRules(trader, { maxOrdersPerMinute: 0 });
  await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
  fixture.wait(12 * 3_600_000);
  await fixture.quote(YES, { bid: '0.3' });
  await fixture.quote(NO);
  await fixture.setRules(trader, {
    requireApprovalAbove: 9,
    maxOrdersPerMinute: 60,
    cooldownAfterLossSec: 0,
  });
  await fixture.trade(other, { amount: '3' }, { amount: '2', fee: '0.01' });
  await fixture.trade(trader, { side: 'sell', type: 'market', amount: '1' }, { price: '0.3' });
  await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
  await fixture.closeMarket(NO, '1');
  await settleHolding(trader.work(), NO);
  await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
  await storeEquityPoints(fixture.db, fixture.now());
});
beforeEach(async () => {
  expect(await fixture.differences()).toEqual([]);
});

const found = async (tampering: string) =>
  (await differencesAfter(fixture, trader, tampering)).map(({ subject, field }) => `${subject}: ${field}`);

const SWAPPED_BLUEPRINTS = `update position set blueprint_id = gen_random_uuid()`;
const FORGED_CHANGE = `insert into audit_event (account_id, id, at, actor, action, mode, before, after)
  select account_id, gen_random_uuid(), at, actor, action, mode, after, jsonb_set(after, '{version}', to_jsonb((after ->> 'version')::int + 1))
  from audit_event where action = 'risk_rules.changed' order by at desc limit 1`;
const FORGED_DEPOSIT = `with deposit as (
    insert into cash_entry (account_id, id, mode, kind, amount, at)
    select account_id, gen_random_uuid(), mode, kind, 1, at from cash_entry where kind = 'deposit' returning account_id)
  update trading_account set cash = cash + 1 where account_id in (select account_id from deposit)`;
const FORGED_DEPLOYMENT = `insert into deployment
  select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'ended_at', now()))).* from deployment d limit 1`;
/** Columns of an order that only its digest proves. */
const EVIDENCE = [
  `origin = case origin when 'order' then 'close' else 'order' end`,
  `node_id = 'other'`,
  `step_at = now()`,
  `deployment_id = null`,
  `release_number = 77`,
  `type = case type when 'limit' then 'market' else 'limit' end`,
  `time_in_force = case time_in_force when 'gtc' then 'ioc' else 'gtc' end`,
  `good_till = now()`,
  `created_at = created_at + interval '1 millisecond'`,
  `inputs = '[1]'`,
  `decided_quote = '{}'`,
  `preapproved_release = 77 where preapproved_release is not null`,
  `receipt = jsonb_set(receipt, '{note}', '1') where status = 'denied'`,
];
const FUTURE_DAY = `insert into account_day (account_id, mode, day, opening_unrealized_pnl)
  select account_id, mode, '2099-01-01', 0 from trading_account`;

describe("the statement finds changes behind the service's back", () => {
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
      'an approval that was not given',
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
    [
      'a payout that the trail does not state',
      `delete from audit_event where action = 'position.settled'`,
      'fill: audit row of the settlement',
    ],
    [
      'a payout that the trail states and no fill books',
      `insert into audit_event select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).*
        from audit_event a where action = 'position.settled'`,
      'audit_event: settlement',
    ],
    ['a paper deployment that trades real money', `update deployment set mode = 'live'`, 'deployment: row'],
    ['a deployment that has no start', FORGED_DEPLOYMENT, 'deployment: row'],
    ['a deployment that ended unseen', `update deployment set ended_at = now()`, 'deployment: endedAt'],
    ['its release', `update deployment set release_number = 7`, 'deployment: release'],
    ['its blueprint', `update deployment set blueprint_id = gen_random_uuid()`, 'deployment: blueprintId'],
    ['when it began', `update deployment set started_at = now()`, 'deployment: startedAt'],
    ...EVIDENCE.map((change): [string, string, string] => [
      `what a decision was made of: ${change}`,
      `update trade_order set ${change}`,
      'order_transition: digest of step 1',
    ]),
    [
      'what an approval was made of',
      `update trade_order set approval_receipt = jsonb_set(approval_receipt, '{marks}', '[]') where approval_receipt is not null`,
      'order_transition: digest of step 2',
    ],
    [
      'who took an order from the queue',
      `update order_transition set actor = 'session:other' where from_status = 'queued'`,
      'order_transition: digest of step 2',
    ],
    [
      'when a step was taken',
      `update order_transition set at = at + interval '1 millisecond' where from_status = 'queued'`,
      'order_transition: digest of step 2',
    ],
    [
      'a digest',
      `update order_transition set digest = repeat('0', 64)`,
      'order_transition: digest of step 1',
    ],
    [
      'a cash entry of another day',
      `update cash_entry set at = at - interval '1 day' where fill_id is not null`,
      'cash_entry: at',
    ],
    ['a fee booked as a trade', `update cash_entry set kind = 'trade' where kind = 'fee'`, 'cash_entry: fee'],
    [
      'a reservation above its order',
      `update order_allocation a set amount = o.amount + 1 from trade_order o where o.id = a.order_id`,
      'order_allocation: amount',
    ],
    [
      'a reservation of another instrument',
      `update order_allocation set position_id = (select id from position where token_id = '${NO}')`,
      'order_allocation: tokenId of',
    ],
    ['the end of a time to approve', `update trade_order set expires_at = now()`, 'trade_order: expiresAt'],
    [
      'an empty position',
      `insert into position select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
          'blueprint_id', gen_random_uuid(), 'amount', 0, 'total_cost', 0, 'realized_pnl', 0, 'fees', 0, 'fill_count', 0))).*
        from position p limit 1`,
      'position: fillCount',
    ],
    ['a running deployment that is gone', `delete from deployment`, 'deployment: row'],
    [
      "the venue's id in a request",
      `update order_dispatch set venue_order_id = 'other'`,
      'order_dispatch: venueOrderId',
    ],
    [
      'the connection of a request',
      `update order_dispatch set connection_id = gen_random_uuid()`,
      'order_dispatch: connectionId',
    ],
    ['rules that are gone', `delete from risk_rules`, 'risk_rules: row'],
    ['a latch that is lifted', `update trading_account set tripped_at = now()`, 'trading_account: trippedAt'],
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
    [
      'a receipt with an empty part',
      `update trade_order set receipt = jsonb_set(receipt, '{live}', '{}')`,
      'trade_order: receipt',
    ],
    ['a receipt that was emptied', `update trade_order set receipt = '{}'`, 'trade_order: receipt'],
    [
      'a signal of no one',
      `insert into signal (account_id, name, mode, token_hash, created_at) select account_id, 'tv', mode, '', now() from trading_account`,
      'signal: mode',
    ],
    ['an account that is gone', `delete from trading_account`, 'trading_account: row'],
  ])('%s', async (_what, tampering, difference) => {
    expect(await found(tampering)).toContainEqual(expect.stringContaining(difference));
  });
});

test('money of an account without a row of its own is a difference, and no account is skipped', async () => {
  const stranger = randomUUID();
  const alter = (statement: RawBuilder<unknown>) =>
    fixture.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await statement.execute(trx);
    });
  await alter(sql`insert into cash_entry (account_id, id, mode, kind, amount, at)
    values (${stranger}, gen_random_uuid(), 'live', 'deposit', 1, now())`);
  const differences = await verifyLedger(fixture.db, async () => fixture.now());
  await alter(sql`delete from cash_entry where account_id = ${stranger}`);
  expect(differences).toMatchObject([{ accountId: stranger, subject: 'trading_account', actual: 'gone' }]);
});

import { describe, expect, test } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import type { Receipt } from '../../engine/risk/receipt.ts';
import { haltConnection } from '../../engine/trading/connections/change.ts';
import { approvalPreview } from '../../engine/trading/orders/entry/approval-preview.ts';
import { approvalTerms, maxCostOf } from '../../engine/trading/orders/entry/approval-terms.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import type { TradingSettings } from '../../engine/trading/orders/settings.ts';
import { previewOrder } from '../../engine/usecases/risk-rules/preview.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { limitConnections } from '../support/connections.ts';
import { differencesAfter } from '../support/ledger-differences.ts';
import { openedForFile } from '../support/opened.ts';
import {
  BTC,
  fillingBroker,
  intentOf,
  LIVE_SETTINGS,
  NO,
  openTradingFixture,
  type Trader,
  YES,
} from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);

type LiveTrader = Trader & { live: () => Work };

/** A trader with live books, whose rules block nothing. */
async function liveTrader(): Promise<LiveTrader> {
  const trader = await fixture.trader();
  await fixture.openLive(trader);
  await fixture.quote(YES);
  return { ...trader, live: () => ({ ...trader.work(), mode: 'live' }) };
}

const caps = (liveCaps: TradingSettings['liveCaps']): TradingSettings => ({
  ...LIVE_SETTINGS,
  liveCaps,
});

const propose = (
  trader: LiveTrader,
  liveCaps: TradingSettings['liveCaps'],
  intent: Partial<ProposedIntent> = {},
) => proposeIntent(trader.live(), intentOf(trader, intent), caps(liveCaps));

const send = (trader: LiveTrader, id: string, liveCaps: TradingSettings['liveCaps']) =>
  sendOrder(trader.live(), fillingBroker(fixture.now), id, caps(liveCaps));

describe('a cap of the operator', () => {
  test('on a day counts fills and open buys, and restarts at 00:00 UTC', async () => {
    const trader = await liveTrader();
    const day = { maxDay: '12' };
    const { id } = await propose(trader, day);
    await send(trader, id, day);
    await propose(trader, day);
    expect(await propose(trader, day)).toMatchObject({ status: 'denied', reason_code: 'serviceMaxDay' });
    expect((await propose(trader, day, { amount: '4' })).status).toBe('queued');
    fixture.wait(86_400_000);
    await fixture.quote(YES);
    expect((await propose(trader, day)).status).toBe('queued');
  });

  test('on a day counts no sells, and nothing on paper', async () => {
    const trader = await liveTrader();
    await fixture.trade(trader, {});
    for (const side of ['buy', 'sell'] as const) {
      const { id } = await propose(trader, {}, { side });
      await send(trader, id, {});
    }
    expect((await propose(trader, { maxDay: '10' })).status).toBe('queued');
    expect((await propose(trader, { maxDay: '10' })).reason_code).toBe('serviceMaxDay');
  });

  test('row 101: lowered while an order is pending, it refuses the approval, and the order stays pending', async () => {
    const trader = await liveTrader();
    await updateRules(trader.live(), { requireApprovalAbove: 0 });
    const { id, status } = await propose(trader, { maxOrder: '5' });
    expect(status).toBe('pending');
    const approval = approveOrder(trader.live(), id, undefined, caps({ maxOrder: '4' }));
    await expect(approval).rejects.toMatchObject({
      code: 'risk_rule_violated',
      message: expect.stringContaining('operator allows up to 4 USD an order'),
    });
    expect(await fixture.order(id)).toMatchObject({ status: 'pending', approved_by: null });
    const seen = await approvalPreview(trader.live(), id, caps({ maxOrder: '4' }));
    expect(seen).toMatchObject({ verdict: 'denied', live: { service: { maxOrder: '4' } } });
    await approveOrder(trader.live(), id, undefined, caps({ maxOrder: '5' }));
    expect((await fixture.order(id)).approval_receipt).toMatchObject({
      live: { service: { maxOrder: '5' } },
    });
  });

  test('lowered after an order was queued, it stops the order from being sent', async () => {
    const trader = await liveTrader();
    const { id } = await propose(trader, { maxOrder: '5' });
    const broker = fillingBroker(fixture.now);
    expect(await sendOrder(trader.live(), broker, id, caps({ maxOrder: '4' }))).toBeNull();
    expect(broker.placed).toEqual([]);
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', reason_code: 'serviceMaxOrder' });
  });

  test('is in the preview of an order', async () => {
    const trader = await liveTrader();
    const wish = { tokenId: YES, side: 'buy', amount: '11', type: 'limit', limitPrice: '0.5' } as const;
    const preview = await previewOrder(trader.live(), wish, { settings: caps({ maxOrder: '5' }) });
    expect(preview).toMatchObject({ verdict: 'denied', denial: { rule: 'serviceMaxOrder' } });
  });
});

describe('a limit of a connection', () => {
  const limit = (
    { accountId }: Trader,
    limits: { maxOrder?: string; maxDay?: string; maxOpenNotional?: string },
  ) => limitConnections(fixture.db, accountId, 'venue-a', limits);

  test.each([
    ['connectionMaxDay', { maxDay: '10' }],
    ['connectionMaxOpenNotional', { maxOpenNotional: '10' }],
  ])('%s counts what was bought at its venue, and nothing of another', async (rule, limits) => {
    const trader = await liveTrader();
    await fixture.quote(BTC, { bid: '99', ask: '100' });
    for (const elsewhere of [{ tokenId: BTC, amount: '0.1', limitPrice: '100' }, {}])
      await send(trader, (await propose(trader, {}, elsewhere)).id, {});
    await propose(trader, {}, { tokenId: BTC, amount: '0.1', limitPrice: '100' });
    await limit(trader, limits);
    expect((await propose(trader, {})).status).toBe('queued');
    expect(await propose(trader, {})).toMatchObject({ status: 'denied', reason_code: rule });
  });

  test('row 101: lowered meanwhile, it refuses the approval; lowered after that, it stops the order from being sent', async () => {
    const trader = await liveTrader();
    await updateRules(trader.live(), { requireApprovalAbove: 0 });
    const { id } = await propose(trader, {});
    await limit(trader, { maxOrder: '4' });
    const refused = {
      code: 'risk_rule_violated',
      message: expect.stringContaining('connection allows up to 4 USD an order'),
    };
    await expect(approveOrder(trader.live(), id, undefined, caps({}))).rejects.toMatchObject(refused);
    expect(await fixture.order(id)).toMatchObject({ status: 'pending' });
    await limit(trader, { maxOrder: '5' });
    await approveOrder(trader.live(), id, undefined, caps({}));
    await limit(trader, { maxOrder: '4' });
    await send(trader, id, {});
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', reason_code: 'connectionMaxOrder' });
  });
});

test('row 101: a connection that has stopped entries refuses the approval, and the order stays pending', async () => {
  const trader = await liveTrader();
  await updateRules(trader.live(), { requireApprovalAbove: 0 });
  const { id, connection_id } = await propose(trader, {});
  await haltConnection(trader.live(), connection_id ?? '', 'reduce_only');
  await expect(approveOrder(trader.live(), id, undefined, caps({}))).rejects.toMatchObject({
    code: 'risk_rule_violated',
    issues: [{ code: 'connection_reduce_only' }],
  });
  expect(await fixture.order(id)).toMatchObject({ status: 'pending', approved_by: null });
});

describe('balances at the venue', () => {
  const tell = async ({ accountId }: Trader, shards: Record<string, string>) => {
    const { id } = await fixture.db
      .selectFrom('venue_connection')
      .select('id')
      .where('account_id', '=', accountId)
      .where('venue', '=', 'venue-a')
      .executeTakeFirstOrThrow();
    await fixture.db.deleteFrom('venue_cash').where('account_id', '=', accountId).execute();
    const rows = Object.entries(shards).map(([shard, available]) => ({
      account_id: accountId,
      connection_id: id,
      currency: 'USD',
      shard,
      available,
      total: available,
      read_at: fixture.now(),
    }));
    await fixture.db.insertInto('venue_cash').values(rows).execute();
  };

  test("row 52: money spent since the venue's report, and reserved for queued orders, is not counted as available", async () => {
    const trader = await liveTrader();
    await tell(trader, { 0: '16' });
    fixture.wait(1_000);
    const first = await propose(trader, {});
    fixture.wait(1_000);
    await send(trader, first.id, {});
    await propose(trader, {});
    const third = await propose(trader, {});
    // 16, less 5 paid, less 5 and a fee of 0.175 in the queue.
    expect((third.receipt as Receipt).live).toMatchObject({ funds: { available: '5.825' } });
    expect(await propose(trader, {})).toMatchObject({ status: 'denied', reason_code: 'venueFunds' });
    expect((await propose(trader, {}, { side: 'sell' })).status).toBe('queued');
  });
});

describe('73: the other side of a market at a venue that nets both', () => {
  const other: Partial<ProposedIntent> = { tokenId: NO, limitPrice: '0.5' };

  test('is not bought while this one is held or on order, with a line on the receipt', async () => {
    const trader = await liveTrader();
    await fixture.quote(NO);
    const { id } = await propose(trader, {});
    expect(await propose(trader, {}, other)).toMatchObject({ status: 'denied', reason_code: 'oppositeSide' });
    await send(trader, id, {});
    const denied = await propose(trader, {}, other);
    expect(denied).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('10 of the other side'),
    });
    expect((await propose(trader, {})).status).toBe('queued');
    expect((await propose(trader, {}, { side: 'sell' })).status).toBe('queued');
  });
});

test('the approver sees the mode, the account at the venue, and the highest cost with its fee', async () => {
  const trader = await liveTrader();
  const buy = await propose(trader, {});
  expect(await approvalTerms(trader.live(), buy.id)).toEqual({
    mode: 'live',
    venue: 'venue-a',
    connection: { label: 'Desk', environment: 'demo' },
    worstCost: '5.175',
  });
  const paper = await proposeIntent(trader.work(), intentOf(trader));
  expect(await approvalTerms(trader.work(), paper.id)).toMatchObject({ mode: 'paper', connection: null });
  expect(maxCostOf({ side: 'sell', size: '5', worst_fee: '0.175' }).toFixed()).toBe('0.175');
});

describe('the ledger', () => {
  test('finds a live sum on a receipt that the books contradict', async () => {
    const trader = await liveTrader();
    const { id } = await propose(trader, { maxDay: '100' });
    await send(trader, id, { maxDay: '100' });
    const second = await propose(trader, { maxDay: '100' });
    expect((second.receipt as Receipt).live).toMatchObject({ spentToday: '5' });
    const tampered = await differencesAfter(
      fixture,
      trader,
      `update trade_order set receipt = jsonb_set(receipt, '{live,spentToday}', '"1"') where id = '${second.id}'`,
      'live',
    );
    expect(tampered).toMatchObject([
      { field: 'digest of step 1' },
      { field: 'spentToday on the receipt', expected: '5', actual: '1' },
      { field: expect.stringContaining('receipt of') },
    ]);
    const removed = await differencesAfter(
      fixture,
      trader,
      `update trade_order set receipt = receipt - 'live' where id = '${second.id}'`,
      'live',
    );
    expect(removed).toContainEqual(expect.objectContaining({ field: 'real money on the receipt' }));
  });
});

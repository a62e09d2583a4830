import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Work } from '../../engine/context.ts';
import { approveOrder } from '../../engine/orders/entry/approve.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/orders/entry/propose.ts';
import { approvalPreview } from '../../engine/orders/entry/recheck.ts';
import { sendOrder } from '../../engine/orders/execution/send.ts';
import type { TradingSettings } from '../../engine/orders/settings.ts';
import type { Receipt } from '../../engine/risk/receipt.ts';
import { previewOrder } from '../../engine/risk-rules/preview.ts';
import { updateRules } from '../../engine/risk-rules/rules.ts';
import {
  BTC,
  type Desk,
  fillingBroker,
  intentOf,
  LIVE,
  openDesk,
  type Trader,
  YES,
} from '../support/desk.ts';
import { differencesAfter } from '../support/tampering.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

type LiveTrader = Trader & { live: () => Work };

/** A trader whose rules stand in nobody's way, with books of real money. */
async function liveTrader(): Promise<LiveTrader> {
  const trader = await desk.trader();
  await desk.openLive(trader);
  await desk.quote(YES);
  return { ...trader, live: () => ({ ...trader.work(), mode: 'live' }) };
}

const caps = (liveCaps: TradingSettings['liveCaps']): TradingSettings => ({
  ...LIVE,
  liveCaps,
});

const propose = (
  trader: LiveTrader,
  liveCaps: TradingSettings['liveCaps'],
  intent: Partial<ProposedIntent> = {},
) => proposeIntent(trader.live(), intentOf(trader, intent), caps(liveCaps));

const send = (trader: LiveTrader, id: string, liveCaps: TradingSettings['liveCaps']) =>
  sendOrder(trader.live(), fillingBroker(desk.now), id, caps(liveCaps));

const linesOf = ({ receipt }: { receipt: unknown }) =>
  (receipt as Receipt).lines.filter(({ rule }) => rule.startsWith('service'));

describe('a cap of the operator', () => {
  test('on an order denies a larger buy of real money, with a line on the receipt', async () => {
    const trader = await liveTrader();
    const within = await propose(trader, { maxOrder: '5' });
    expect(within.status).toBe('queued');
    expect(linesOf(within)).toEqual([
      { rule: 'serviceMaxOrder', limit: '5', actual: '5', headroom: '0', verdict: 'pass' },
    ]);
    const beyond = await propose(trader, { maxOrder: '5' }, { amount: '11' });
    expect(beyond).toMatchObject({ status: 'denied', reason_code: 'serviceMaxOrder' });
  });

  test('on a day counts what was paid and what may still be, and begins again at 00:00 UTC', async () => {
    const trader = await liveTrader();
    const day = { maxDay: '12' };
    const { id } = await propose(trader, day);
    await send(trader, id, day);
    await propose(trader, day);
    expect(await propose(trader, day)).toMatchObject({ status: 'denied', reason_code: 'serviceMaxDay' });
    expect((await propose(trader, day, { amount: '4' })).status).toBe('queued');
    desk.wait(86_400_000);
    await desk.quote(YES);
    expect((await propose(trader, day)).status).toBe('queued');
  });

  test('says nothing of paper, nor of what gets out', async () => {
    const trader = await liveTrader();
    const none = { maxOrder: '1', maxDay: '1' };
    const paper = await proposeIntent(trader.work(), intentOf(trader), caps(none));
    expect(paper.status).toBe('queued');
    expect(paper.receipt).not.toHaveProperty('live');
    const { id } = await propose(trader, {});
    await send(trader, id, {});
    const sell = await propose(trader, none, { side: 'sell' });
    expect(sell.status).toBe('queued');
    expect(linesOf(sell)).toEqual([]);
  });

  test('101: lowered while an order waits for a person, it refuses the approval, and the order waits on', async () => {
    const trader = await liveTrader();
    await updateRules(trader.live(), { requireApprovalAbove: 0 });
    const { id, status } = await propose(trader, { maxOrder: '5' });
    expect(status).toBe('pending');
    const approval = approveOrder(trader.live(), id, undefined, caps({ maxOrder: '4' }));
    await expect(approval).rejects.toMatchObject({
      code: 'risk_rule_violated',
      message: expect.stringContaining('operator allows orders of 4 USD'),
    });
    expect(await desk.order(id)).toMatchObject({ status: 'pending', approved_by: null });
    const seen = await approvalPreview(trader.live(), id, caps({ maxOrder: '4' }));
    expect(seen).toMatchObject({ verdict: 'denied', live: { service: { maxOrder: '4' } } });
    await approveOrder(trader.live(), id, undefined, caps({ maxOrder: '5' }));
    expect((await desk.order(id)).approval_receipt).toMatchObject({ live: { service: { maxOrder: '5' } } });
  });

  test('lowered after an order was cleared, it keeps the order from leaving', async () => {
    const trader = await liveTrader();
    const { id } = await propose(trader, { maxOrder: '5' });
    const broker = fillingBroker(desk.now);
    expect(await sendOrder(trader.live(), broker, id, caps({ maxOrder: '4' }))).toBeNull();
    expect(broker.placed).toEqual([]);
    expect(await desk.order(id)).toMatchObject({ status: 'canceled', reason_code: 'serviceMaxOrder' });
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
    limits: { max_order?: string; max_day?: string; max_open_notional?: string },
  ) =>
    desk.db
      .updateTable('venue_connection')
      .set(limits)
      .where('account_id', '=', accountId)
      .where('venue', '=', 'venue-a')
      .execute();

  test.each([
    ['connectionMaxOrder', { max_order: '4' }],
    ['connectionMaxDay', { max_day: '9' }],
    ['connectionMaxOpenNotional', { max_open_notional: '9' }],
  ])('%s denies a buy beyond it, and none at another venue', async (rule, limits) => {
    const trader = await liveTrader();
    const { id } = await propose(trader, {});
    await send(trader, id, {});
    await limit(trader, limits);
    const denied = await propose(trader, {});
    expect(denied).toMatchObject({ status: 'denied', reason_code: rule });
    expect((denied.receipt as Receipt).lines.find((line) => line.rule === rule)).toMatchObject({
      verdict: 'deny',
    });
    await desk.quote(BTC, { bid: '99', ask: '100' });
    const elsewhere = await propose(trader, {}, { tokenId: BTC, amount: '0.1', limitPrice: '100' });
    expect(elsewhere.status).toBe('queued');
  });

  test('101: lowered meanwhile, it refuses the approval; lowered after that, it keeps the order from leaving', async () => {
    const trader = await liveTrader();
    await updateRules(trader.live(), { requireApprovalAbove: 0 });
    const { id } = await propose(trader, {});
    await limit(trader, { max_order: '4' });
    const refused = {
      code: 'risk_rule_violated',
      message: expect.stringContaining('connection allows orders of 4 USD'),
    };
    await expect(approveOrder(trader.live(), id, undefined, caps({}))).rejects.toMatchObject(refused);
    expect(await desk.order(id)).toMatchObject({ status: 'pending' });
    await limit(trader, { max_order: '5' });
    await approveOrder(trader.live(), id, undefined, caps({}));
    await limit(trader, { max_order: '4' });
    await send(trader, id, {});
    expect(await desk.order(id)).toMatchObject({ status: 'canceled', reason_code: 'connectionMaxOrder' });
  });
});

describe('the ledger', () => {
  test('finds a sum of real money on a receipt that the books do not say', async () => {
    const trader = await liveTrader();
    const { id } = await propose(trader, { maxDay: '100' });
    await send(trader, id, { maxDay: '100' });
    const second = await propose(trader, { maxDay: '100' });
    expect((second.receipt as Receipt).live).toMatchObject({ spentToday: '5' });
    const tampered = await differencesAfter(
      desk,
      trader,
      `update trade_order set receipt = jsonb_set(receipt, '{live,spentToday}', '"1"') where id = '${second.id}'`,
      'live',
    );
    expect(tampered).toMatchObject([
      { field: 'spentToday on the receipt', expected: '5', actual: '1' },
      { field: expect.stringContaining('receipt of') },
    ]);
    const removed = await differencesAfter(
      desk,
      trader,
      `update trade_order set receipt = receipt - 'live' where id = '${second.id}'`,
      'live',
    );
    expect(removed).toContainEqual(expect.objectContaining({ field: 'real money on the receipt' }));
  });
});

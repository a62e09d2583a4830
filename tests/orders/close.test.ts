import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { refuseDenied } from '../../engine/trading/orders/entry/refusals.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
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
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

const ordersOf = (trader: Trader) =>
  fixture.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', trader.accountId)
    .where('origin', '=', 'manual')
    .orderBy('id')
    .execute();

/** A trader with ten YES in an older blueprint and ten in a younger one. */
async function twoPositions() {
  const trader = await fixture.trader();
  const younger = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
  await fixture.trade(trader, {});
  fixture.wait(1_000);
  await fixture.trade(younger, {});
  await fixture.quote(YES);
  return { trader, younger };
}

describe('closing a position', () => {
  test('answers `{intentId, status, amount}`: "an immediate-or-cancel sell within the price band"', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    const closed = await closePosition(trader.work(), { tokenId: YES, amount: '4' });
    expect(closed).toEqual({ intentId: expect.any(String), status: 'queued', amount: '4' });
    expect(await fixture.order(closed.intentId)).toMatchObject({
      side: 'sell',
      type: 'market',
      time_in_force: 'ioc',
      limit_price: '0.460000000000',
      deployment_id: null,
      origin: 'manual',
    });
  });

  test('"No such position: 404", for another account\'s too', async () => {
    const { trader } = await twoPositions();
    const stranger = await fixture.trader();
    for (const [who, request] of [
      [trader, { tokenId: NO, amount: '1' }],
      [trader, { tokenId: 'NOSUCH:yes', amount: '1' }],
      [trader, { tokenId: YES, amount: '1', blueprintId: await fixture.addBlueprint(trader.accountId) }],
      [stranger, { tokenId: YES, amount: '1' }],
    ] as const) {
      await expect(closePosition(who.work(), request)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('the closer is in the audit trail, with the amount held', async () => {
    const { trader } = await twoPositions();
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '15' });
    const entries = await fixture.db
      .selectFrom('audit_event')
      .select(['action', 'actor', 'before', 'after'])
      .where('subject_id', '=', intentId)
      .execute();
    expect(entries).toEqual([
      {
        action: 'position.close_requested',
        actor: trader.work().actor,
        before: { tokenId: YES, held: '20' },
        after: { amount: '15', status: 'queued' },
      },
    ]);
  });

  test('"More than is held and free: 400 with both numbers"', async () => {
    const { trader } = await twoPositions();
    await closePosition(trader.work(), { tokenId: YES, amount: '15' });
    await expect(closePosition(trader.work(), { tokenId: YES, amount: '6' })).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'You asked to close 6, but 5 are held and free of 20 held.',
      issues: [{ path: '/amount' }],
    });
    expect(await ordersOf(trader)).toHaveLength(1);
  });

  test("\"It draws on the account's positions in that instrument, oldest first, reserving on each; the intent's `blueprintId` is the first one's\"", async () => {
    const { trader, younger } = await twoPositions();
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '13' });
    const { allocations, blueprintId } = await readOrder(trader.work(), intentId);
    expect(blueprintId).toBe(trader.blueprintId);
    expect(allocations.map((part) => [part.blueprintId, part.amount])).toEqual([
      [trader.blueprintId, '10'],
      [younger.blueprintId, '3'],
    ]);
    const positions = await listPositions(trader.work());
    expect(positions.map((position) => [position.blueprintId, position.amountClosing])).toEqual([
      [younger.blueprintId, '3'],
      [trader.blueprintId, '10'],
    ]);
  });

  test('"fills are allocated in that order"; "What stays unfilled stays held"', async () => {
    const { trader, younger } = await twoPositions();
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '13' });
    await sendOrder(trader.work(), fillingBroker(fixture.now, { amount: '11' }), intentId);
    const [position, ...others] = await listPositions(trader.work());
    expect(others).toEqual([]);
    expect(position).toMatchObject({ blueprintId: younger.blueprintId, amount: '9', amountClosing: '0' });
    expect((await fixture.order(intentId)).status).toBe('canceled');
  });

  test('"Optional `blueprintId` narrows it"', async () => {
    const { trader, younger } = await twoPositions();
    const narrowed = { tokenId: YES, blueprintId: younger.blueprintId };
    const { intentId } = await closePosition(trader.work(), { ...narrowed, amount: '10' });
    expect((await fixture.order(intentId)).blueprint_id).toBe(younger.blueprintId);
    await expect(closePosition(trader.work(), { ...narrowed, amount: '1' })).rejects.toMatchObject({
      message: 'You asked to close 1, but 0 are held and free of 10 held.',
    });
  });

  test('the first position with a free amount is the one it belongs to', async () => {
    const { trader, younger } = await twoPositions();
    await closePosition(trader.work(), { tokenId: YES, amount: '10' });
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '10' });
    expect((await fixture.order(intentId)).blueprint_id).toBe(younger.blueprintId);
  });

  test('"No fresh quote: 503 `quote_unavailable`. No bid to sell to: 403 `no_liquidity`"; a closed market is 403 too', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    const close = () => closePosition(trader.work(), { tokenId: YES, amount: '1' });
    await fixture.quote(YES, { ageMs: 10_001 });
    await expect(close()).rejects.toMatchObject({ code: 'quote_unavailable', retryAfterSec: 2 });
    await fixture.quote(YES, { bid: null });
    await expect(close()).rejects.toMatchObject({ code: 'no_liquidity' });
    await fixture.quote(YES, { status: 'paused' });
    await expect(close()).rejects.toMatchObject({ code: 'market_not_open' });
    expect(await ordersOf(trader)).toEqual([]);
  });

  test('"the `denied` order and its receipt are committed; a close answers 403 `risk_rule_violated` with rule, limit, value and order id"', async () => {
    const trader = await fixture.trader({ maxOrderSize: 1 });
    const order = await proposeIntent(trader.work(), intentOf(trader));
    expect(() => refuseDenied(order)).toThrow(
      expect.objectContaining({
        code: 'risk_rule_violated',
        message: `maxOrderSize is 1 USD, this order is 5 USD. Order ${order.id} was denied and has the whole receipt.`,
        issues: [{ path: '', code: 'maxOrderSize', message: 'maxOrderSize is 1 USD, this order is 5 USD.' }],
      }),
    );
    expect((await readOrder(trader.work(), order.id)).receipt.lines).toHaveLength(7);
  });

  test('"never a count per minute": no number of orders holds up a close', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await fixture.setRules(trader, { maxOrdersPerMinute: 0 });
    for (let closed = 0; closed < 10; closed++) {
      const { status } = await closePosition(trader.work(), { tokenId: YES, amount: '1' });
      expect(status).toBe('queued');
    }
  });

  test('"a close asked by a web session is its own approval (`approved by its request`), one asked by a key waits above the limit"', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await fixture.setRules(trader, { requireApprovalAbove: 1 });
    const close = (actor: string) =>
      closePosition({ ...trader.work(), actor }, { tokenId: YES, amount: '5' });
    expect((await close('key:1')).status).toBe('pending');
    const own = await close('session:1');
    expect(own.status).toBe('queued');
    const { receipt } = await readOrder(trader.work(), own.intentId);
    expect(receipt.lines.find(({ rule }) => rule === 'requireApprovalAbove')).toMatchObject({
      verdict: 'pass',
      note: 'approved by its request',
    });
  });

  test('a close above requireApprovalAbove is pending and reserves nothing: "Only live sells and approved ones reserve"', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await fixture.setRules(trader, { requireApprovalAbove: 1 });
    const byKey = { ...trader.work(), actor: 'key:1' };
    const pending = await closePosition(byKey, { tokenId: YES, amount: '10' });
    expect(pending.status).toBe('pending');
    expect((await listPositions(trader.work()))[0]?.amountClosing).toBe('0');
    expect((await closePosition(trader.work(), { tokenId: YES, amount: '2' })).status).toBe('queued');
  });

  test('"the one thing that must never be refused without need is getting out": no rule on entries stands in the way', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {}, { fee: '1' });
    await fixture.trade(trader, { side: 'sell', type: 'market', amount: '1' }, { price: '0.46' });
    await fixture.setRules(trader, {
      maxOrderSize: 0,
      maxDailyLoss: 0,
      maxOpenPositions: 0,
      cooldownAfterLossSec: 1_000,
    });
    expect((await closePosition(trader.work(), { tokenId: YES, amount: '9' })).status).toBe('queued');
  });

  test('a queued close that was not sent in 30 s releases its reserve', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await closePosition(trader.work(), { tokenId: YES, amount: '10' });
    fixture.wait(30_000);
    await fixture.quote(YES);
    expect((await listPositions(trader.work()))[0]?.amountClosing).toBe('0');
    expect((await closePosition(trader.work(), { tokenId: YES, amount: '10' })).status).toBe('queued');
  });
});

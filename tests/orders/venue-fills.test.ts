/** Fills of a venue, by the same table of faults as in `venue-faults.test.ts`. */
import { describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { findFillsMissing } from '../../engine/trading/orders/execution/queue.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import { brokersAt } from '../support/paper-venue.ts';
import {
  atScriptedVenue,
  audits,
  broker,
  canceled,
  failTrade,
  fillsOf,
  fixture,
  sendResting,
  statusOf,
  system,
  workers,
} from '../support/scripted-venue.ts';
import { intentOf, LIVE_SETTINGS, VENUE_B_TOKEN } from '../support/trading-fixture.ts';

atScriptedVenue();

describe('fills', () => {
  test('row 20: as 19, fills never come: an alarm after 60 s, and nothing is invented', {
    tags: ['long'],
  }, async () => {
    const { trader, id } = await sendResting();
    broker.orders.set(id, { ...broker.state(id), ...canceled({ filledAmount: '6' }) });
    const alerts: { id?: string }[] = [];
    const log = { info: () => {}, warn: () => {}, error: (fields: object) => alerts.push(fields) };
    const alarms = () => alerts.filter((fields) => fields.id === id);
    await syncOrder(system(trader), broker, id);
    workers.push(
      startOrderWork({ pool: fixture.pool, ...brokersAt(broker), clock: fixture.clock, log, periodMs: 20 }),
    );
    fixture.wait(59_999);
    const ours = async () => (await findFillsMissing(fixture.db, 100)).filter((key) => key.id === id);
    expect(await ours()).toHaveLength(1);
    expect(alarms()).toEqual([]);
    fixture.wait(1);
    await expect.poll(alarms, { timeout: 5_000 }).toMatchObject([{ code: 'fills_missing', id }]);
    expect(await fixture.order(id)).toMatchObject({ status: 'open', filled_amount: '0.000000000000' });
    expect(await fillsOf(id)).toEqual([]);
    broker.fill(id, { amount: '6' }, 'canceled');
    await expect.poll(() => statusOf(id), { timeout: 5_000 }).toBe('canceled');
    expect(await ours()).toEqual([]);
    expect(alarms()).toHaveLength(1);
  });

  test('row 61: BUY 10 @ 0.60 fills 12 for the same money (improvement): 12 booked, at a cost within the reserve', async () => {
    const trader = await fixture.trader();
    await fixture.openLive(trader);
    const live = { ...system(trader), mode: 'live' as const };
    await fixture.quote(VENUE_B_TOKEN, { bid: '0.58', ask: '0.6' });
    const buy = intentOf(trader, { tokenId: VENUE_B_TOKEN, limitPrice: '0.6' });
    const { id } = await proposeIntent({ ...trader.work(), mode: 'live' }, buy, LIVE_SETTINGS);
    await sendOrder(live, broker, id);
    broker.fill(id, { amount: '12', price: '0.5' }, 'filled');
    await syncOrder(live, broker, id);
    expect(await fixture.order(id)).toMatchObject({
      status: 'filled',
      filled_amount: '12.000000000000',
      filled_notional: '6.000000000000',
    });
    broker.fill(id, { amount: '0.1', price: '0.5' }, 'filled');
    await expect(syncOrder(live, broker, id)).rejects.toThrow('trade_order_not_overfilled');
  });

  test('rows 67 and 77: one trade id in orders of two accounts, and in two orders of one: a fill each', async () => {
    const [one, other] = [await sendResting(), await sendResting()];
    const second = await proposeIntent(one.trader.work(), intentOf(one.trader));
    await sendOrder(system(one.trader), broker, second.id);
    for (const { trader, id } of [one, other, { trader: one.trader, id: second.id }]) {
      broker.fill(id, { tradeId: 'shared', amount: '10' }, 'filled');
      await syncOrder(system(trader), broker, id);
      expect(await fillsOf(id)).toMatchObject([{ venue_trade_id: 'shared' }]);
    }
    expect((await listPositions(one.trader.work()))[0]?.amount).toBe('20');
    expect((await listPositions(other.trader.work()))[0]?.amount).toBe('10');
  });

  test('row 68: MATCHED, then FAILED: a reversal gives money, shares and fee back, once, and nothing is deleted', async () => {
    const { trader, id } = await sendResting();
    broker.fill(id, { tradeId: 'm', amount: '4', fee: '0.04', state: 'provisional' });
    broker.fill(id, { tradeId: 'n', amount: '1', fee: '0.01' });
    await syncOrder(system(trader), broker, id);
    expect((await listPositions(trader.work()))[0]?.amount).toBe('5');
    failTrade(id, 'm');
    for (const _ of [1, 2]) await syncOrder(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject({
      status: 'partially_filled',
      filled_amount: '1.000000000000',
      filled_notional: '0.500000000000',
      fees: '0.010000000000',
    });
    expect(await fillsOf(id)).toMatchObject([
      { kind: 'trade', state: 'provisional' },
      { kind: 'trade', state: 'final' },
      { kind: 'reversal', side: 'sell', fee: '-0.040000000000' },
    ]);
    expect((await listPositions(trader.work()))[0]).toMatchObject({ amount: '1', realizedPnl: '-0.01' });
    expect(await audits(id)).toContain('fill.reversed');
    expect((await readOrder(trader.work(), id)).fills).toHaveLength(1);
  });

  test('row 68: after a sell of those shares was sent: the rest is reversed, and the missing amount is audited', async () => {
    const { trader, id } = await sendResting();
    broker.fill(id, { tradeId: 'm', amount: '10', state: 'provisional' }, 'filled');
    await syncOrder(system(trader), broker, id);
    await fixture.trade(trader, { side: 'sell', type: 'market', amount: '7' });
    failTrade(id, 'm');
    expect(await syncOrder(system(trader), broker, id)).toMatchObject({ isLate: true });
    expect(await listPositions(trader.work())).toEqual([]);
    expect(await audits(id)).toEqual(expect.arrayContaining(['fill.reversed', 'fill.unbacked']));
  });

  test('row 68: while sells of those shares rest or are queued: the oldest keep the holding, the others are canceled', async () => {
    const { trader, id } = await sendResting();
    broker.fill(id, { tradeId: 'm', amount: '6', state: 'provisional' });
    broker.fill(id, { tradeId: 'n', amount: '4' });
    await syncOrder(system(trader), broker, id);
    const sell = (amount: string) =>
      proposeIntent(trader.work(), intentOf(trader, { side: 'sell', amount, limitPrice: '0.6' }));
    const [kept, atVenue, waiting] = [await sell('4'), await sell('3'), await sell('3')];
    for (const each of [kept, atVenue]) await sendOrder(system(trader), broker, each.id);
    failTrade(id, 'm');
    await syncOrder(system(trader), broker, id);
    const why = { reason_code: 'trade_reversed' };
    expect(await fixture.order(kept.id)).toMatchObject({ status: 'open', cancel_requested_at: null });
    expect(await fixture.order(atVenue.id)).toMatchObject({
      status: 'open',
      cancel_requested_at: expect.any(String),
      ...why,
    });
    expect(await fixture.order(waiting.id)).toMatchObject({ status: 'canceled', ...why });
  });
});

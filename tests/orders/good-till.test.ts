import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { findPastGoodTill } from '../../engine/trading/orders/execution/queue.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { openPaperVenue, type PaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { type OrderWork, startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import { openedForFile } from '../support/opened.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { brokersAt } from '../support/paper-venue.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { BTC, intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const SEC = 1_000;
const EXPIRED = { status: 'expired', reason_code: 'good_till_passed' };

const fixture = openedForFile(openTradingFixture);
let broker: ScriptedBroker;
const running: OrderWork[] = [];
beforeEach(async () => {
  broker = new ScriptedBroker(fixture.now);
  await fixture.quote(YES);
});
afterEach(() => stopAll());

const stopAll = () => Promise.all(running.splice(0).map((work) => work.stop()));
const system = (trader: Trader) => fixture.workOf(trader.accountId, 'system');
const silent = { info() {}, warn() {}, error() {} };
const start = (at: PaperVenue = broker) =>
  running.push(
    startOrderWork({ pool: fixture.pool, ...brokersAt(at), clock: fixture.clock, log: silent, periodMs: 20 }),
  );
const becomes = (id: string, row: object) =>
  expect.poll(() => fixture.order(id), { timeout: 5_000 }).toMatchObject(row);

async function propose(trader: Trader, expireAfterSec: number, more = {}) {
  return (await proposeIntent(trader.work(), intentOf(trader, { expireAfterSec, ...more }))).id;
}

async function resting(expireAfterSec: number) {
  const trader = await fixture.trader();
  const id = await propose(trader, expireAfterSec);
  await sendOrder(system(trader), broker, id);
  return {
    trader,
    id,
    due: () => findPastGoodTill(fixture.db, fixture.now(), 1_000).then((keys) => keys.map((key) => key.id)),
  };
}

describe('an order with a good-till time', () => {
  test('is canceled at the venue then, and has expired', async () => {
    const { trader, id, due } = await resting(60);
    expect((await readOrder(trader.work(), id)).expiresAt).toBe(
      new Date(fixture.now().getTime() + 60 * SEC).toISOString(),
    );
    start();
    fixture.wait(59 * SEC);
    await sleep(100);
    expect(await fixture.order(id)).toMatchObject({ status: 'open', expires_at: null });
    expect(await due()).toEqual([]);
    fixture.wait(SEC);
    await becomes(id, { ...EXPIRED, cancel_requested_at: null });
    expect((await fixture.order(id)).reason).toBe(`It was good till ${fixture.now().toISOString()}.`);
    expect(await due()).toEqual([]);
  });

  test('whose answer was lost expires once the venue has reported it', async () => {
    const trader = await fixture.trader();
    const id = await propose(trader, 12);
    broker.next = 'lose_answer';
    await sendOrder(system(trader), broker, id);
    fixture.wait(12 * SEC);
    start();
    await becomes(id, EXPIRED);
  });

  test('is canceled, not expired, after an earlier cancel request', async () => {
    const { trader, id, due } = await resting(60);
    await cancelOrder(trader.work(), id);
    fixture.wait(60 * SEC);
    expect(await due()).toEqual([]);
    await cancelAtVenue(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', reason_code: 'canceled' });
  });

  test('expires after a restart across its end, whichever process cancels it', async () => {
    const { id } = await resting(60);
    start();
    await sleep(50);
    await stopAll();
    fixture.wait(3_600 * SEC);
    start();
    start();
    await becomes(id, EXPIRED);
  });

  test('has the same end after the clock went back', async () => {
    const { trader, id, due } = await resting(60);
    fixture.wait(60 * SEC);
    expect(await due()).toEqual([id]);
    fixture.wait(-30 * SEC);
    expect(await due()).toEqual([]);
    await syncOrder(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject({ status: 'open' });
    fixture.wait(30 * SEC);
    await cancelAtVenue(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject(EXPIRED);
  });

  test('cannot be extended, even by SQL', async () => {
    const { id } = await resting(60);
    await expect(
      fixture.db.updateTable('trade_order').set({ good_till: null }).where('id', '=', id).execute(),
    ).rejects.toThrow('an intent is immutable');
    fixture.wait(60 * SEC);
    await cancelAtVenue(fixture.workOf((await fixture.order(id)).account_id), broker, id);
  });
});

describe('on paper it', () => {
  test('trades with nothing from its end on, even before it is canceled', async () => {
    const market = new PaperMarket(fixture.now);
    const paper = openPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock });
    market.show(YES, {});
    market.show(BTC, {});
    const trader = await fixture.trader();
    const ids = [
      await propose(trader, 20),
      await propose(trader, 20, { tokenId: BTC, amount: '1', limitPrice: '100' }),
    ];
    await fixture.quote(BTC, { bid: '100', ask: '101' });
    for (const id of ids) await sendOrder(system(trader), paper, id);
    const minute = Math.ceil(fixture.now().getTime() / 60_000) * 60_000;
    fixture.wait(minute + 61_000 - fixture.now().getTime());
    market.candles.push({
      openTimeMs: minute,
      closeTimeMs: minute + 59_999,
      open: 100,
      high: 101,
      low: 50,
      close: 100,
      volume: 1_000,
    });
    await fixture.quote(YES, { ask: '0.4' });
    await fixture.quote(BTC, { bid: '90', ask: '91' });
    await paper.advance([YES, BTC]);
    start(paper);
    for (const id of ids) await becomes(id, { ...EXPIRED, filled_amount: '0.000000000000' });
  });
});

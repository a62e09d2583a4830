/**
 * What a venue may do to an order, row by row of the table of faults that live trading is judged by (1 to 36; those that are
 * about one venue's wire are shown against its simulator). The venue is scripted: everywhere one order per order id, the
 * sums of fills equal, and a ledger that proves itself at the end.
 */
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/accounting/portfolio.ts';
import { closePosition } from '../../engine/orders/entry/close.ts';
import { proposeIntent } from '../../engine/orders/entry/propose.ts';
import { brokersByMode } from '../../engine/orders/execution/brokers.ts';
import { applyReport } from '../../engine/orders/execution/execution-report.ts';
import { findFillsMissing, findGivenUp } from '../../engine/orders/execution/queue.ts';
import { reconcileOrder, syncOrder, watchGivenUp } from '../../engine/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/orders/execution/send.ts';
import {
  findExternalEvents,
  type OrderEvent,
  takeVenueEvent,
} from '../../engine/orders/execution/venue-events.ts';
import { cancelOrder } from '../../engine/orders/lifecycle/cancel.ts';
import { readOrder } from '../../engine/orders/read/read.ts';
import { type OrderWork, startOrderWork } from '../../server/runner/orders/order-work.ts';
import type { AccountFill, VenueOrder } from '../../venues/broker.ts';
import { type Desk, intentOf, LIVE, openDesk, TOKEN_B, type Trader, YES } from '../support/desk.ts';
import { tradingAt } from '../support/paper-venue.ts';
import { fillOf, ScriptedBroker } from '../support/scripted-broker.ts';

const LAST_ARRIVAL_MS = 15_000;

let desk: Desk;
let broker: ScriptedBroker;
const working: OrderWork[] = [];
beforeAll(async () => {
  desk = await openDesk();
});
beforeEach(async () => {
  broker = new ScriptedBroker(desk.now);
  await desk.quote(YES);
});
afterEach(async () => {
  await Promise.all(working.splice(0).map((work) => work.stop()));
  const ids = broker.placed.map(({ id }) => id);
  expect(new Set(ids).size, 'each order is handed over once').toBe(ids.length);
});
afterAll(() => desk.close());

const system = (trader: Trader) => desk.workOf(trader.accountId, 'system');
const statusOf = async (id: string) => (await desk.order(id)).status;
const steps = async (trader: Trader, id: string) =>
  (await readOrder(trader.work(), id)).timeline.map(({ status }) => status);
const fillsOf = (id: string) => desk.db.selectFrom('fill').selectAll().where('order_id', '=', id).execute();
const audits = async (id: string) =>
  (await desk.db.selectFrom('audit_event').select('action').where('subject_id', '=', id).execute()).map(
    ({ action }) => action,
  );
const canceled = (more: Partial<VenueOrder> = {}) => ({
  status: 'canceled' as const,
  reasonCode: 'canceled',
  reason: 'Canceled.',
  ...more,
});

async function queued(intent = {}) {
  const trader = await desk.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader, intent));
  return { trader, id };
}

async function resting(intent = {}) {
  const order = await queued(intent);
  await sendOrder(system(order.trader), broker, order.id);
  expect(await statusOf(order.id)).toBe('open');
  return order;
}

async function lost(how: 'never_arrive' | 'lose_answer') {
  const order = await queued();
  broker.next = how;
  expect(await sendOrder(system(order.trader), broker, order.id)).toBeNull();
  expect(await statusOf(order.id)).toBe('unknown');
  return order;
}

/** The venue takes one of its trades back. */
function fail(id: string, tradeId: string): void {
  const order = broker.state(id);
  const fills = order.fills.map((fill) =>
    fill.tradeId === tradeId ? { ...fill, state: 'failed' as const } : fill,
  );
  broker.orders.set(id, { ...order, fills });
}

const reconcile = ({ trader, id }: { trader: Trader; id: string }) =>
  reconcileOrder(system(trader), broker, id);

describe('a request or its answer is lost', () => {
  test.each([
    'row 1: connection refused before anything is sent',
    'row 2: request dropped before processing, client waits',
    'row 11: 500/503, order does not exist',
  ])('%s: unknown, absent with proof, `rejected/never_arrived`, never sent again', async () => {
    const order = await lost('never_arrive');
    desk.wait(LAST_ARRIVAL_MS);
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('unknown');
    desk.wait(1);
    await reconcile(order);
    expect(await desk.order(order.id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
    await sendOrder(system(order.trader), broker, order.id);
    expect(broker.placed).toHaveLength(1);
  });

  test.each([
    'row 3: create processed, answer dropped (resting)',
    'row 8: answer is HTTP 200 with half a JSON body',
    'row 9: 201 without order object',
    'row 10: 500/502 HTML, order exists',
  ])('%s: unknown, found, open, under the name the venue gave it', async () => {
    const order = await lost('lose_answer');
    await reconcile(order);
    expect(await desk.order(order.id)).toMatchObject({ status: 'open', venue_order_id: `v-${order.id}` });
    expect(await steps(order.trader, order.id)).toEqual(['queued', 'submitted', 'unknown', 'open']);
  });

  test('row 4: create processed and fully filled, answer dropped: filled, each fill once', async () => {
    const order = await lost('lose_answer');
    broker.fill(order.id, { amount: '4' });
    broker.fill(order.id, { amount: '6' }, 'filled');
    await Promise.all([reconcile(order), reconcile(order), reconcile(order)]);
    expect(await statusOf(order.id)).toBe('filled');
    expect(await fillsOf(order.id)).toHaveLength(2);
  });

  test('row 5: create processed 9 s later than sent, find in between absent: unknown until then, never rejected early', async () => {
    const order = await lost('never_arrive');
    for (const _ of [1, 2, 3]) {
      desk.wait(3_000);
      await reconcile(order);
      expect(await statusOf(order.id)).toBe('unknown');
    }
    broker.arrive(order.id);
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('open');
  });

  test('absence is proof only as often and as far apart as the venue needs, and one look that finds nothing to tell proves nothing', async () => {
    broker.absenceProof = { times: 3, apartMs: 10_000 };
    const order = await lost('never_arrive');
    desk.wait(LAST_ARRIVAL_MS + 1);
    await reconcile(order);
    desk.wait(9_999);
    await reconcile(order);
    desk.wait(1);
    await reconcile(order);
    broker.isSure = false;
    desk.wait(10_000);
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('unknown');
    broker.isSure = true;
    await reconcile(order);
    expect(await desk.order(order.id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
  });

  test('looks are counted anew where the venue’s clock went back, and an order is not lost to one wrong hour', async () => {
    broker.absenceProof = { times: 2, apartMs: 10_000 };
    const order = await lost('never_arrive');
    desk.wait(LAST_ARRIVAL_MS + 1);
    const find = broker.find.bind(broker);
    broker.find = async () => ({ kind: 'absent', asOf: new Date(desk.now().getTime() + 3_600_000) });
    await reconcile(order);
    broker.find = find;
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('unknown');
    desk.wait(10_000);
    await reconcile(order);
    expect(await desk.order(order.id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
  });

  test('row 42: what the venue knows stands still: the order stays unknown, however long', async () => {
    const order = await lost('never_arrive');
    const asOf = desk.now();
    broker.find = async () => ({ kind: 'absent', asOf });
    for (let minute = 0; minute < 5; minute++) {
      desk.wait(60_000);
      await reconcile(order);
    }
    expect(await statusOf(order.id)).toBe('unknown');
  });

  test.each([
    'row 12: our own retry layer repeats the POST, 409 `order_already_exists`',
    'row 13: the same on venue B, `Duplicated`',
    'row 14: the same while open on crypto, -2010 Duplicate',
  ])('%s: exists, find, one order', async () => {
    const order = await queued();
    broker.next = 'exists';
    await sendOrder(system(order.trader), broker, order.id);
    expect(await statusOf(order.id)).toBe('unknown');
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('open');
  });

  test('row 15: at most one POST per dispatch row: one place in the service places orders, behind the row it has just written', async () => {
    const root = path.join(import.meta.dirname, '../..');
    const files = globSync('{server,routers,engine,openapi}/**/*.ts', { cwd: root });
    const placing = files.filter((file) => /\.place\(/.test(readFileSync(path.join(root, file), 'utf8')));
    expect(placing).toEqual(['engine/orders/execution/send.ts']);
    const [text = ''] = placing.map((file) => readFileSync(path.join(root, file), 'utf8'));
    expect(text.match(/\.place\(/g)).toHaveLength(1);
    expect(text.match(/recordDispatch\(/g)).toHaveLength(1);

    const order = await resting();
    const again = desk.db
      .insertInto('order_dispatch')
      .values((eb) => ({
        account_id: order.trader.accountId,
        order_id: order.id,
        client_order_id: order.id,
        request: eb.lit(null) as never,
        signed_for: desk.now(),
        arrives_by: desk.now(),
        sent_at: desk.now(),
      }))
      .execute();
    await expect(again).rejects.toThrow();
    const rewritten = desk.db
      .updateTable('order_dispatch')
      .set({ arrives_by: new Date(0) })
      .where('order_id', '=', order.id)
      .execute();
    await expect(rewritten).rejects.toThrow('history');
  });

  test('row 16: duplicate answer, and the late one of the race after find has applied: nothing twice, nothing back', async () => {
    const order = await lost('lose_answer');
    const late = broker.state(order.id);
    broker.fill(order.id, { amount: '4' });
    await reconcile(order);
    for (const answer of [late, late, broker.state(order.id)])
      await applyReport(system(order.trader), order.id, answer);
    expect(await statusOf(order.id)).toBe('partially_filled');
    expect(await fillsOf(order.id)).toHaveLength(1);
    expect(await steps(order.trader, order.id)).toEqual([
      'queued',
      'submitted',
      'unknown',
      'partially_filled',
    ]);
  });
});

describe('fills', () => {
  test('row 18: a fill, then an answer that says fill 0 (stale): the books keep the fill, the status does not move back', async () => {
    const { trader, id } = await resting();
    const stale = broker.state(id);
    broker.fill(id, { amount: '4' });
    await syncOrder(system(trader), broker, id);
    await applyReport(system(trader), id, { ...stale, filledAmount: '0' });
    expect(await desk.order(id)).toMatchObject({
      status: 'partially_filled',
      filled_amount: '4.000000000000',
    });
  });

  test('row 19: the answer says canceled with filled 6, fills list still empty: the reservation is kept, final after the 6 are booked', async () => {
    const trader = await desk.trader();
    await desk.trade(trader, {});
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '10' });
    await sendOrder(system(trader), broker, intentId);
    const told = { ...broker.state(intentId), ...canceled({ filledAmount: '6' }) };
    await applyReport(system(trader), intentId, told);
    expect(await statusOf(intentId)).toBe('open');
    await expect(closePosition(trader.work(), { tokenId: YES, amount: '1' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    broker.fill(intentId, { amount: '6', price: '0.47' });
    await applyReport(system(trader), intentId, {
      ...broker.state(intentId),
      ...canceled({ filledAmount: '6' }),
    });
    expect(await desk.order(intentId)).toMatchObject({ status: 'canceled', filled_amount: '6.000000000000' });
    expect(await closePosition(trader.work(), { tokenId: YES, amount: '4' })).toMatchObject({ amount: '4' });
  });

  test('row 20: as 19, fills never come: an alarm after 60 s, and nothing is invented', async () => {
    const { trader, id } = await resting();
    broker.orders.set(id, { ...broker.state(id), ...canceled({ filledAmount: '6' }) });
    const told: { id?: string }[] = [];
    const log = { info: () => {}, warn: () => {}, error: (fields: object) => told.push(fields) };
    const alarms = () => told.filter((fields) => fields.id === id);
    await syncOrder(system(trader), broker, id);
    working.push(
      startOrderWork({ pool: desk.pool, ...tradingAt(broker), clock: desk.clock, log, periodMs: 20 }),
    );
    desk.wait(59_999);
    const ours = async () => (await findFillsMissing(desk.db, 100)).filter((key) => key.id === id);
    expect(await ours()).toHaveLength(1);
    expect(alarms()).toEqual([]);
    desk.wait(1);
    await expect.poll(alarms, { timeout: 5_000 }).toMatchObject([{ code: 'fills_missing', id }]);
    expect(await desk.order(id)).toMatchObject({ status: 'open', filled_amount: '0.000000000000' });
    expect(await fillsOf(id)).toEqual([]);
    broker.fill(id, { amount: '6' }, 'canceled');
    await expect.poll(() => statusOf(id), { timeout: 5_000 }).toBe('canceled');
    expect(await ours()).toEqual([]);
    expect(alarms()).toHaveLength(1);
  });

  test('rows 21, 22, 80: fills cut into pages, repeated and reordered: all booked once, the same sums', async () => {
    const { trader, id } = await resting();
    for (const amount of ['1', '2', '3', '4']) broker.fill(id, { amount, fee: '0.01' });
    const { fills, ...told } = broker.state(id);
    const [a, b, c, d] = fills;
    const pages = [
      [c, a],
      [b, c],
      [d, a, b],
      [d, c, b, a],
    ];
    for (const page of pages)
      await applyReport(system(trader), id, { ...told, fills: page.filter((fill) => fill !== undefined) });
    expect(await desk.order(id)).toMatchObject({
      status: 'filled',
      filled_amount: '10.000000000000',
      fees: '0.040000000000',
    });
    expect(await fillsOf(id)).toHaveLength(4);
  });

  test('row 23: partial fills in 5 steps, then cancel: the filled part is kept, the rest freed', async () => {
    const { trader, id } = await resting();
    for (let step = 0; step < 5; step++) {
      desk.wait(12_000);
      broker.fill(id, { amount: '1' });
      await syncOrder(system(trader), broker, id);
    }
    await cancelOrder(trader.work(), id);
    await cancelAtVenue(system(trader), broker, id);
    expect(await desk.order(id)).toMatchObject({ status: 'canceled', filled_amount: '5.000000000000' });
    const { receipt } = await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
    expect(receipt).toMatchObject({ reserved: '0' });
  });

  test('row 61: BUY 10 @ 0.60 fills 12 for the same money (improvement): 12 booked, cost within what was reserved, and no more than that', async () => {
    const trader = await desk.trader();
    await desk.openLive(trader);
    const live = { ...system(trader), mode: 'live' as const };
    await desk.quote(TOKEN_B, { bid: '0.58', ask: '0.6' });
    const buy = intentOf(trader, { tokenId: TOKEN_B, limitPrice: '0.6' });
    const { id } = await proposeIntent({ ...trader.work(), mode: 'live' }, buy, LIVE);
    await sendOrder(live, broker, id);
    broker.fill(id, { amount: '12', price: '0.5' }, 'filled');
    await syncOrder(live, broker, id);
    expect(await desk.order(id)).toMatchObject({
      status: 'filled',
      filled_amount: '12.000000000000',
      filled_notional: '6.000000000000',
    });
    broker.fill(id, { amount: '0.1', price: '0.5' }, 'filled');
    await expect(syncOrder(live, broker, id)).rejects.toThrow('trade_order_not_overfilled');
  });

  test('rows 67 and 77: one trade id in orders of two accounts, and in two orders of one: a fill each', async () => {
    const [one, other] = [await resting(), await resting()];
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
    const { trader, id } = await resting();
    broker.fill(id, { tradeId: 'm', amount: '4', fee: '0.04', state: 'provisional' });
    broker.fill(id, { tradeId: 'n', amount: '1', fee: '0.01' });
    await syncOrder(system(trader), broker, id);
    expect((await listPositions(trader.work()))[0]?.amount).toBe('5');
    fail(id, 'm');
    for (const _ of [1, 2]) await syncOrder(system(trader), broker, id);
    expect(await desk.order(id)).toMatchObject({
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

  test('row 68: after a sell of those shares went out: the rest is taken back, and what is not held is said', async () => {
    const { trader, id } = await resting();
    broker.fill(id, { tradeId: 'm', amount: '10', state: 'provisional' }, 'filled');
    await syncOrder(system(trader), broker, id);
    await desk.trade(trader, { side: 'sell', type: 'market', amount: '7' });
    fail(id, 'm');
    expect(await syncOrder(system(trader), broker, id)).toMatchObject({ isLate: true });
    expect(await listPositions(trader.work())).toEqual([]);
    expect(await audits(id)).toEqual(expect.arrayContaining(['fill.reversed', 'fill.unbacked']));
  });

  test('row 68: a sell that failed is held again, reserved as before by what is left of its order', async () => {
    const trader = await desk.trader();
    await desk.trade(trader, {});
    const { intentId: id } = await closePosition(trader.work(), { tokenId: YES, amount: '10' });
    await sendOrder(system(trader), broker, id);
    broker.fill(id, { tradeId: 'm', amount: '6', price: '0.47', fee: '0.02', state: 'provisional' });
    broker.fill(id, { tradeId: 'n', amount: '1', price: '0.47' });
    await syncOrder(system(trader), broker, id);
    fail(id, 'm');
    await syncOrder(system(trader), broker, id);
    expect((await listPositions(trader.work()))[0]).toMatchObject({ amount: '9', amountClosing: '9' });
    expect(await desk.order(id)).toMatchObject({ filled_amount: '1.000000000000' });
  });

  test('a fee in another currency is booked at its worth, and says what it was charged in', async () => {
    const { trader, id } = await resting();
    broker.fill(id, { amount: '10', fee: '0.05', feeAsset: 'BNB', feeAmount: '0.0001' }, 'filled');
    await syncOrder(system(trader), broker, id);
    expect(await fillsOf(id)).toMatchObject([
      { fee: '0.050000000000', fee_asset: 'BNB', fee_amount: '0.000100000000', state: 'final' },
    ]);
    expect((await desk.order(id)).fees).toBe('0.050000000000');
  });
});

describe('a stream', () => {
  const connectionId = randomUUID();
  const fillEvent = (id: string, more: Partial<AccountFill> & { amount: string }): OrderEvent => ({
    kind: 'fill',
    fill: {
      ...fillOf(`${id}-stream`, more),
      venueOrderId: `v-${id}`,
      clientOrderId: null,
      tokenId: YES,
      side: 'buy',
      ...more,
    },
  });
  const parked = () => desk.db.selectFrom('venue_event').selectAll().execute();

  async function connected() {
    const order = await queued();
    await desk.connect(order.id, connectionId);
    return order;
  }

  test('row 17: a fill event before the create answer: matched by client id, booked once, the order ends right', async () => {
    const { trader, id } = await connected();
    const event = fillEvent(id, { amount: '4', clientOrderId: id });
    const place = broker.place.bind(broker);
    broker.place = async (order, prepared) => {
      const placed = await place(order, prepared);
      await takeVenueEvent(system(trader), connectionId, event);
      expect(await statusOf(id)).toBe('partially_filled');
      return placed;
    };
    await sendOrder(system(trader), broker, id);
    expect(await desk.order(id)).toMatchObject({
      status: 'partially_filled',
      filled_amount: '4.000000000000',
      venue_order_id: `v-${id}`,
    });
    broker.fill(id, { amount: '4', tradeId: `${id}-stream` });
    broker.fill(id, { amount: '6' }, 'filled');
    await syncOrder(system(trader), broker, id);
    expect(await statusOf(id)).toBe('filled');
    expect(await fillsOf(id)).toHaveLength(2);
    expect((await fillsOf(id)).map(({ connection_id }) => connection_id)).toEqual([
      connectionId,
      connectionId,
    ]);
  });

  test('row 17: a fill event that names the order as nobody here does yet is parked, and booked with the answer', async () => {
    const { trader, id } = await connected();
    const event = fillEvent(id, { amount: '4' });
    const place = broker.place.bind(broker);
    broker.place = async (order, prepared) => {
      const placed = await place(order, prepared);
      for (const _ of [1, 2]) expect(await takeVenueEvent(system(trader), connectionId, event)).toBeNull();
      expect(await parked()).toHaveLength(1);
      return placed;
    };
    expect(await sendOrder(system(trader), broker, id)).toMatchObject({
      order: { status: 'partially_filled' },
    });
    expect(await fillsOf(id)).toMatchObject([{ venue_trade_id: `${id}-stream`, amount: '4.000000000000' }]);
    expect(await parked()).toEqual([]);
  });

  test('a parked fill is booked with whatever names its order first, also another event of the stream', async () => {
    const { trader, id } = await connected();
    broker.next = 'lose_answer';
    await sendOrder(system(trader), broker, id);
    await takeVenueEvent(system(trader), connectionId, fillEvent(id, { amount: '4' }));
    expect(await parked()).toHaveLength(1);
    const ended = { ...broker.state(id), ...canceled({ filledAmount: null }) };
    await takeVenueEvent(system(trader), connectionId, {
      kind: 'order',
      clientOrderId: id,
      tokenId: YES,
      order: ended,
    });
    expect(await desk.order(id)).toMatchObject({ status: 'canceled', filled_amount: '4.000000000000' });
    expect(await parked()).toEqual([]);
  });

  test('rows 79 and 80: a fill that a stream tells again, or that a listing told before, has no effect', async () => {
    const { trader, id } = await connected();
    await sendOrder(system(trader), broker, id);
    broker.fill(id, { amount: '4', tradeId: `${id}-stream` });
    await syncOrder(system(trader), broker, id);
    const before = await desk.order(id);
    for (const _ of [1, 2, 3])
      await takeVenueEvent(system(trader), connectionId, fillEvent(id, { amount: '4' }));
    expect(await desk.order(id)).toEqual(before);
  });

  test('what nobody here placed stays parked, and is somebody else’s after a minute; another account never sees it', async () => {
    const { trader } = await connected();
    await takeVenueEvent(system(trader), connectionId, fillEvent('foreign', { amount: '4' }));
    const find = (whose: Trader) => findExternalEvents(system(whose), connectionId, desk.now(), 10);
    expect(await find(trader)).toEqual([]);
    desk.wait(60_000);
    expect(await find(trader)).toMatchObject([{ venue_order_id: 'v-foreign' }]);
    expect(await find(await desk.trader())).toEqual([]);
  });

  test('row 7: an order appears after it was declared never arrived: canceled at once, fills booked late, audited', async () => {
    const { trader, id } = await connected();
    broker.next = 'never_arrive';
    await sendOrder(system(trader), broker, id);
    desk.wait(LAST_ARRIVAL_MS + 1);
    await reconcile({ trader, id });
    expect(await desk.order(id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
    expect(await watchGivenUp(system(trader), broker, id)).toBeNull();
    const watched = async () => (await findGivenUp(desk.db, desk.now(), 100)).map((key) => key.id);
    expect(await watched()).toContain(id);

    broker.arrive(id);
    broker.fill(id, { amount: '4' });
    expect(await watchGivenUp(system(trader), broker, id)).toMatchObject({ isLate: true });
    expect(broker.state(id).status).toBe('canceled');
    expect(await desk.order(id)).toMatchObject({ status: 'rejected', filled_amount: '4.000000000000' });
    expect(await audits(id)).toContain('fill.late');
    expect(await watchGivenUp(system(trader), broker, id)).toBeNull();
    desk.wait(24 * 3_600_000);
    expect(await watched()).not.toContain(id);
  });
});

describe('cancels', () => {
  test('row 24: a cancel crosses a full fill, the fill arrives after: applied late, audited, `filled` since complete', async () => {
    const { trader, id } = await resting();
    await cancelOrder(trader.work(), id);
    await cancelAtVenue(system(trader), broker, id);
    expect(await statusOf(id)).toBe('canceled');
    broker.fill(id, { amount: '10' }, 'filled');
    expect(await syncOrder(system(trader), broker, id)).toMatchObject({ isLate: true });
    expect(await statusOf(id)).toBe('filled');
    expect(await audits(id)).toContain('fill.late');
  });

  test('row 25: a late fill after `canceled`, partial: booked, audited, the status stays', async () => {
    const { trader, id } = await resting();
    await cancelOrder(trader.work(), id);
    await cancelAtVenue(system(trader), broker, id);
    broker.fill(id, { amount: '4' }, 'canceled');
    expect(await syncOrder(system(trader), broker, id)).toMatchObject({ isLate: true });
    expect(await desk.order(id)).toMatchObject({ status: 'canceled', filled_amount: '4.000000000000' });
    expect(await audits(id)).toContain('fill.late');
  });

  test('row 26: a late fill of a sell whose reservation was freed and resold: `fill.unbacked`, no position below zero', async () => {
    const trader = await desk.trader();
    await desk.trade(trader, {});
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '10' });
    await sendOrder(system(trader), broker, intentId);
    await broker.cancel({ id: intentId });
    await syncOrder(system(trader), broker, intentId);
    await desk.trade(trader, { side: 'sell', type: 'market', amount: '7' });
    broker.fill(intentId, { amount: '10', price: '0.47' }, 'filled');
    await syncOrder(system(trader), broker, intentId);
    expect(await listPositions(trader.work())).toEqual([]);
    expect(await audits(intentId)).toContain('fill.unbacked');
  });

  test('rows 27, 32, 33: there is nothing to cancel, says the venue: only what it shows then counts', async () => {
    const filled = await resting();
    await cancelOrder(filled.trader.work(), filled.id);
    broker.fill(filled.id, { amount: '10' }, 'filled');
    await cancelAtVenue(system(filled.trader), broker, filled.id);
    expect(await statusOf(filled.id)).toBe('filled');

    const ended = await resting();
    await cancelOrder(ended.trader.work(), ended.id);
    await broker.cancel(ended);
    await cancelAtVenue(system(ended.trader), broker, ended.id);
    expect(await statusOf(ended.id)).toBe('canceled');

    const unseen = await resting();
    await cancelOrder(unseen.trader.work(), unseen.id);
    broker.orders.delete(unseen.id);
    await cancelAtVenue(system(unseen.trader), broker, unseen.id);
    expect(await statusOf(unseen.id)).toBe('open');
    expect((await desk.order(unseen.id)).cancel_requested_at).not.toBeNull();
  });

  test('row 29: a cancel is acknowledged, reads still say resting, the second cancel finds nothing: one end, no flapping', async () => {
    const { trader, id } = await resting();
    await cancelOrder(trader.work(), id);
    const shown = broker.state(id);
    const find = broker.find.bind(broker);
    broker.find = async () => ({ kind: 'found', order: shown });
    await cancelAtVenue(system(trader), broker, id);
    await cancelAtVenue(system(trader), broker, id);
    expect(await statusOf(id)).toBe('open');
    broker.find = find;
    await cancelAtVenue(system(trader), broker, id);
    await applyReport(system(trader), id, shown);
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'open', 'canceled']);
  });

  test('row 30: an answer that names another order is ignored', async () => {
    const { trader, id } = await resting();
    const strange = { ...broker.state(id), ...canceled(), venueOrderId: 'v-another' };
    await expect(applyReport(system(trader), id, strange)).rejects.toThrow('calls order');
    expect(await statusOf(id)).toBe('open');
  });

  test('row 35: the answer to a cancel is lost: the wish stays, it is asked again, one end', async () => {
    const { trader, id } = await resting();
    await cancelOrder(trader.work(), id);
    const cancel = broker.cancel.bind(broker);
    broker.cancel = async (ref) => {
      await cancel(ref);
      throw new Error('connection reset');
    };
    await expect(cancelAtVenue(system(trader), broker, id)).rejects.toThrow('reset');
    expect(await desk.order(id)).toMatchObject({ status: 'open' });
    expect((await desk.order(id)).cancel_requested_at).not.toBeNull();
    broker.cancel = cancel;
    await cancelAtVenue(system(trader), broker, id);
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'open', 'canceled']);
  });

  test('row 36: a cancel wished while `submitted` or `unknown` is sent as soon as the venue shows the order, never lost', async () => {
    const order = await lost('lose_answer');
    await cancelOrder(order.trader.work(), order.id);
    working.push(
      startOrderWork({
        pool: desk.pool,
        ...tradingAt(broker),
        clock: desk.clock,
        log: { info: () => {}, warn: () => {}, error: () => {} },
        periodMs: 20,
      }),
    );
    await expect.poll(() => statusOf(order.id), { timeout: 5_000 }).toBe('canceled');
    expect(broker.state(order.id).status).toBe('canceled');
  });
});

test('row 83: a status nobody knows is no answer: nothing changes', async () => {
  const { trader, id } = await resting();
  broker.find = async () => {
    throw new Error('The venue says `hibernating`.');
  };
  await expect(syncOrder(system(trader), broker, id)).rejects.toThrow('hibernating');
  expect(await statusOf(id)).toBe('open');
});

test('what no request can be made of is canceled with the reason, and nothing leaves', async () => {
  const { trader, id } = await queued();
  broker.unpreparable = { code: 'tick_changed', reason: 'The tick is 0.001 now.' };
  expect(await sendOrder(system(trader), broker, id)).toBeNull();
  expect(await desk.order(id)).toMatchObject({ status: 'canceled', reason_code: 'tick_changed' });
  expect(broker.placed).toEqual([]);
});

test('what the venue refuses for certain is `rejected` with its code', async () => {
  const { trader, id } = await queued();
  broker.next = 'refuse';
  await sendOrder(system(trader), broker, id);
  expect(await desk.order(id)).toMatchObject({ status: 'rejected', reason_code: 'refused' });
});

test('an order of a mode that nobody trades in does not leave, least of all on paper', async () => {
  const trader = await desk.trader();
  await desk.openLive(trader);
  const live = { ...trader.work(), mode: 'live' as const };
  const { id } = await proposeIntent(live, intentOf(trader), LIVE);
  await expect(sendOrder(live, brokersByMode({ paper: broker }), id)).rejects.toThrow('Nobody trades live');
  expect(await statusOf(id)).toBe('queued');
  expect(broker.placed).toEqual([]);
  await sendOrder(live, brokersByMode({ live: broker }), id);
  expect(await statusOf(id)).toBe('open');
});

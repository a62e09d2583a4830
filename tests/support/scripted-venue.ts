/**
 * Orders at a scripted venue, for tests of what a venue may do to an order. Each order is sent once, and the ledger verifies at
 * the end.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { reconcileOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import type { OrderWork } from '../../server/workers/trading/orders/order-work.ts';
import type { VenueOrder } from '../../venues/broker.ts';
import { ScriptedBroker } from './scripted-broker.ts';
import { intentOf, openTradingFixture, type Trader, type TradingFixture, YES } from './trading-fixture.ts';

/** A request arrives within this time, or never. */
export const LAST_ARRIVAL_MS = 15_000;

/** One fixture for the file that calls `atScriptedVenue`, and a new broker for each of its tests. */
export let fixture: TradingFixture;
export let broker: ScriptedBroker;
/** Order workers of a test, which stop with it. */
export const workers: OrderWork[] = [];

/** Opens them around the tests of a file. */
export function atScriptedVenue(): void {
  beforeAll(async () => {
    fixture = await openTradingFixture();
  });
  beforeEach(async () => {
    broker = new ScriptedBroker(fixture.now);
    await fixture.quote(YES);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((work) => work.stop()));
    const ids = broker.placed.map(({ id }) => id);
    expect(new Set(ids).size, 'each order is handed over once').toBe(ids.length);
  });
  afterAll(() => fixture.close());
}

export const system = (trader: Trader) => fixture.workOf(trader.accountId, 'system');
export const statusOf = async (id: string) => (await fixture.order(id)).status;
export const steps = async (trader: Trader, id: string) =>
  (await readOrder(trader.work(), id)).timeline.map(({ status }) => status);
export const fillsOf = (id: string) =>
  fixture.db.selectFrom('fill').selectAll().where('order_id', '=', id).execute();
export const audits = async (id: string) =>
  (await fixture.db.selectFrom('audit_event').select('action').where('subject_id', '=', id).execute()).map(
    ({ action }) => action,
  );
export const canceled = (more: Partial<VenueOrder> = {}) => ({
  status: 'canceled' as const,
  reasonCode: 'canceled',
  reason: 'Canceled.',
  ...more,
});

export async function queueOrder(intent = {}) {
  const trader = await fixture.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader, intent));
  return { trader, id };
}

export async function sendResting(intent = {}) {
  const order = await queueOrder(intent);
  await sendOrder(system(order.trader), broker, order.id);
  expect(await statusOf(order.id)).toBe('open');
  return order;
}

export async function sendUnanswered(how: 'never_arrive' | 'lose_answer') {
  const order = await queueOrder();
  broker.next = how;
  expect(await sendOrder(system(order.trader), broker, order.id)).toBeNull();
  expect(await statusOf(order.id)).toBe('unknown');
  return order;
}

/** The venue reverses one of its trades. */
export function failTrade(id: string, tradeId: string): void {
  const order = broker.state(id);
  const fills = order.fills.map((fill) =>
    fill.tradeId === tradeId ? { ...fill, state: 'failed' as const } : fill,
  );
  broker.orders.set(id, { ...order, fills });
}

export const reconcile = ({ trader, id }: { trader: Trader; id: string }) =>
  reconcileOrder(system(trader), broker, id);

/** Runs one order in a process that may die at any point, and its recovery by the next process. */
import { expect } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import { exact, sumOf } from '../../engine/platform/decimal.ts';
import { isFinal } from '../../engine/platform/order-states.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import type { Brokers } from '../../engine/trading/orders/execution/brokers.ts';
import { reconcileOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/cancel.ts';
import { type Desk, intentOf, type Trader, YES } from './desk.ts';
import { ScriptedBroker } from './scripted-broker.ts';

/** The fate of an order at its venue: it arrives, trades in part, and trades again or ends on a cancel request. */
export class EventfulVenue extends ScriptedBroker {
  readonly #fills: readonly string[];

  constructor(desk: Desk, fills: readonly string[]) {
    super(desk.now);
    this.#fills = fills;
  }

  override async place(...request: Parameters<ScriptedBroker['place']>) {
    const [{ id }] = request;
    const placed = await super.place(...request);
    const [first] = this.#fills;
    if (first !== undefined) this.fill(id, { amount: first, fee: '0.01' });
    return placed.kind === 'taken' ? { kind: 'taken' as const, order: this.state(id) } : placed;
  }

  override async cancel(ref: Parameters<ScriptedBroker['cancel']>[0]) {
    const [, second] = this.#fills;
    if (!this.orders.has(ref.id)) return super.cancel(ref);
    const { fills, status } = this.state(ref.id);
    if (second !== undefined && status === 'open' && fills.length === 1)
      this.fill(ref.id, { amount: second, fee: '0.01' });
    return super.cancel(ref);
  }
}

/** Runs one order through its life in one process, as far as it gets. */
export async function live(desk: Desk, work: Work, brokers: Brokers, id: string): Promise<void> {
  await sendOrder(work, brokers, id);
  await syncOrder(work, brokers, id);
  if (isFinal((await desk.order(id)).status)) return;
  await cancelOrder(work, id);
  await cancelAtVenue(work, brokers, id);
}

/** Recovers an order as any process does, until nothing is left to do; calls `pause` between two polls. */
export async function recover(
  desk: Desk,
  work: Work,
  brokers: Brokers,
  id: string,
  pause: () => void = () => {},
): Promise<void> {
  for (let look = 0; look < 10; look++) {
    pause();
    const { status, cancel_requested_at } = await desk.order(id);
    if (isFinal(status)) return;
    if (status === 'queued') await sendOrder(work, brokers, id);
    else if (status === 'submitted' || status === 'unknown') await reconcileOrder(work, brokers, id);
    else if (cancel_requested_at === null) await cancelOrder(work, id);
    else await cancelAtVenue(work, brokers, id);
  }
  throw new Error(`Order ${id} has not ended.`);
}

/** A trader and a queued order. */
export async function queued(desk: Desk): Promise<{ trader: Trader; id: string }> {
  await desk.quote(YES);
  const trader = await desk.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader));
  return { trader, id };
}

/** The venue has at most one order, and the books have all fills that it reports of it. */
export async function booksAgree(desk: Desk, venue: ScriptedBroker, id: string): Promise<void> {
  expect(venue.placed.length, 'one order at the venue, or none').toBeLessThanOrEqual(1);
  const told = venue.orders.get(id)?.fills ?? [];
  const fills = await desk.db.selectFrom('fill').selectAll().where('order_id', '=', id).execute();
  expect(fills.map(({ venue_trade_id }) => venue_trade_id).sort()).toEqual(
    told.map(({ tradeId }) => tradeId).sort(),
  );
  const order = await desk.order(id);
  expect(exact(order.filled_amount).toFixed()).toBe(sumOf(told.map(({ amount }) => amount)).toFixed());
  expect(exact(order.fees).toFixed()).toBe(sumOf(told.map(({ fee }) => fee)).toFixed());
}

/** Runs one order in a process that may die at any point, and its recovery by the next process. */
import { expect } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import { exact, sumOf } from '../../engine/platform/decimal.ts';
import { isFinal } from '../../engine/platform/order-states.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import type { Brokers } from '../../engine/trading/orders/execution/brokers.ts';
import { reconcileOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { ScriptedBroker } from './scripted-broker.ts';
import { intentOf, type Trader, type TradingFixture, YES } from './trading-fixture.ts';

/** The fate of an order at its venue: it arrives, trades in part, and trades again or ends on a cancel request. */
export class EventfulVenue extends ScriptedBroker {
  readonly #fills: readonly string[];

  constructor(fixture: TradingFixture, fills: readonly string[]) {
    super(fixture.now);
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
export async function runOrderLife(
  fixture: TradingFixture,
  work: Work,
  brokers: Brokers,
  id: string,
): Promise<void> {
  await sendOrder(work, brokers, id);
  await syncOrder(work, brokers, id);
  if (isFinal((await fixture.order(id)).status)) return;
  await cancelOrder(work, id);
  await cancelAtVenue(work, brokers, id);
}

/** Recovers an order as any process does, until nothing is left to do; calls `pause` between two polls. */
export async function recover(
  fixture: TradingFixture,
  work: Work,
  brokers: Brokers,
  id: string,
  pause: () => void = () => {},
): Promise<void> {
  for (let look = 0; look < 10; look++) {
    pause();
    const { status, cancel_requested_at } = await fixture.order(id);
    if (isFinal(status)) return;
    if (status === 'queued') await sendOrder(work, brokers, id);
    else if (status === 'submitted' || status === 'unknown') await reconcileOrder(work, brokers, id);
    else if (cancel_requested_at === null) await cancelOrder(work, id);
    else await cancelAtVenue(work, brokers, id);
  }
  throw new Error(`Order ${id} has not ended.`);
}

/** A trader and a queued order. */
export async function queuedOrder(fixture: TradingFixture): Promise<{ trader: Trader; id: string }> {
  await fixture.quote(YES);
  const trader = await fixture.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader));
  return { trader, id };
}

/** The venue has at most one order, and the books have all fills that it reports of it. */
export async function expectBooksAgree(
  fixture: TradingFixture,
  venue: ScriptedBroker,
  id: string,
): Promise<void> {
  expect(venue.placed.length, 'one order at the venue, or none').toBeLessThanOrEqual(1);
  const reported = venue.orders.get(id)?.fills ?? [];
  const fills = await fixture.db.selectFrom('fill').selectAll().where('order_id', '=', id).execute();
  expect(fills.map(({ venue_trade_id }) => venue_trade_id).sort()).toEqual(
    reported.map(({ tradeId }) => tradeId).sort(),
  );
  const order = await fixture.order(id);
  expect(exact(order.filled_amount).toFixed()).toBe(sumOf(reported.map(({ amount }) => amount)).toFixed());
  expect(exact(order.fees).toFixed()).toBe(sumOf(reported.map(({ fee }) => fee)).toFixed());
}

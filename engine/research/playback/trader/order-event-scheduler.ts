import type { FillRow } from '../../../books/accounting/booking.ts';
import { exact, toMoney } from '../../../platform/decimal.ts';
import { isAtVenue, isFinal } from '../../../platform/order-states.ts';
import type { OrderFacts } from '../../../strategy/deployments/node-orders.ts';
import type { OrderRow } from '../../../trading/orders/row.ts';
import type { IntentCounter } from '../intent-counter.ts';
import type { Recorder } from '../record/recorder.ts';
import type { BacktestRequest } from '../request.ts';
import type { FillPartRow } from '../result.ts';
import type { EventQueue } from './event-queue.ts';
import { toOrderFacts } from './simulated-graph-inputs.ts';
import type { SimulatedLiquidity } from './simulated-liquidity.ts';
import type { SimulatedMarkets } from './simulated-markets.ts';

type Seen = { isSent: boolean; isWaiting: boolean; isExpiryScheduled: boolean; fills: number };

export type OrderSchedulerOptions = {
  readonly request: BacktestRequest;
  readonly market: SimulatedMarkets;
  readonly recorder: Recorder;
  readonly tally: IntentCounter;
  readonly queue: EventQueue;
  readonly offers: SimulatedLiquidity;
  readonly fillsOf: (orderId: string) => readonly FillRow[];
  /** Called before a trade is recorded. */
  readonly onTrade: (tokenId: string, atMs: number) => void;
  readonly onEnd: (order: OrderRow) => void;
  /** Whether a fill of an order, by its index, came from a trade through its limit. */
  readonly isThrough: (orderId: string, index: number) => boolean;
};

/** Tracks orders: schedules their events, and records their trades and their ends. */
export class OrderEventScheduler {
  readonly #options: OrderSchedulerOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #orders = new Map<string, readonly OrderFacts[]>();

  constructor(options: OrderSchedulerOptions) {
    this.#options = options;
  }

  /** By node, its last two orders. */
  get orders(): ReadonlyMap<string, readonly OrderFacts[]> {
    return this.#orders;
  }

  /** Tracks a changed order. */
  see(order: OrderRow, atMs: number): void {
    const { id, status } = order;
    const { market, recorder, offers, fillsOf } = this.#options;
    if (!this.#seen.has(id) && !isFinal(status)) {
      const book = market.topOfBookAt(order.token_id, atMs);
      recorder.costs.decided(order, book);
      recorder.forecasts.decided(order, book);
    }
    const seen = this.#seen.get(id) ?? {
      isSent: false,
      isWaiting: false,
      isExpiryScheduled: false,
      fills: 0,
    };
    this.#seen.set(id, seen);
    this.#updateNodeOrders(order);
    if (status === 'pending' && !seen.isWaiting) this.#await(order, seen, atMs);
    if (status === 'queued' && !seen.isSent) {
      seen.isSent = true;
      const arrivesMs = atMs + this.#options.request.fills.latencyMs;
      this.#options.queue.add({
        atMs: this.#options.market.pricedFrom(order.token_id, arrivesMs),
        kind: 'arrive',
        id,
      });
    }
    if (isAtVenue(status)) this.#plan(order, seen, atMs);
    const fills = fillsOf(id);
    for (const [index, fill] of fills.entries()) {
      if (index < seen.fills) continue;
      offers.took(order.token_id, order.side, fill.amount);
      recorder.volume.filled(order.token_id, order.side, fill.amount, market.takenBarOf(order.token_id));
      const isThrough = this.#options.isThrough(id, index);
      const grade = isThrough ? 'through' : market.gradeAt(order.token_id, atMs);
      // A resting order fills somewhere inside a bar, whose only midpoints are at its ends.
      const isMidKnown = fill.liquidity !== 'maker' || grade === 'quote';
      recorder.costs.filled(order, fill, isMidKnown ? market.topOfBookAt(order.token_id, atMs) : null);
      this.#record(fill, grade, atMs, order.node_id ?? '');
    }
    seen.fills = fills.length;
    if (!isFinal(status)) return;
    this.#seen.delete(id);
    this.recordEnd(order, atMs);
    this.#options.onEnd(order);
  }

  #await({ id, expires_at }: OrderRow, seen: Seen, atMs: number): void {
    seen.isWaiting = true;
    this.#options.tally.approvals++;
    const { policy, delaySec } = this.#options.request.risk.approvals;
    if (policy === 'auto') this.#options.queue.add({ atMs: atMs + delaySec * 1_000, kind: 'approve', id });
    if (expires_at !== null) this.#options.queue.add({ atMs: Date.parse(expires_at), kind: 'expire', id });
  }

  #plan({ id, good_till, cancel_requested_at }: OrderRow, seen: Seen, atMs: number): void {
    if (good_till !== null && !seen.isExpiryScheduled) {
      seen.isExpiryScheduled = true;
      this.#options.queue.add({ atMs: Date.parse(good_till), kind: 'expire', id });
    }
    if (cancel_requested_at !== null) {
      this.#options.queue.add({ atMs: atMs + this.#options.request.fills.latencyMs, kind: 'cancel', id });
    }
  }

  #updateNodeOrders(order: OrderRow): void {
    const { node_id, id } = order;
    if (node_id === null) return;
    const others = (this.#orders.get(node_id) ?? []).filter((each) => each.id !== id);
    const own = [toOrderFacts(order), ...others].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 2);
    this.#orders.set(node_id, own);
  }

  settled(payout: FillRow, atMs: number): void {
    this.#record(payout, null, atMs, '');
  }

  /** A fill without a grade is a settlement. */
  #record(fill: FillRow, grade: FillPartRow['grade'], atMs: number, nodeId: string): void {
    this.#options.onTrade(fill.token_id, atMs);
    const { side, amount, price, fee } = fill;
    const row = { orderId: fill.order_id ?? fill.id, at: fill.at, tokenId: fill.token_id };
    const source = grade === null ? 'settlement' : 'order';
    this.#options.recorder.fill({ ...row, side, amount, price, fee, source, grade }, atMs, nodeId);
  }

  recordEnd(order: OrderRow, atMs: number): void {
    const { tally, recorder, market } = this.#options;
    tally.ended(order);
    recorder.forecasts.ended(order.id);
    recorder.costs.ended(order, market.topOfBookAt(order.token_id, atMs));
    const filled = exact(order.filled_amount);
    const row = {
      id: order.id,
      at: order.created_at,
      nodeId: order.node_id ?? '',
      tokenId: order.token_id,
      side: order.side,
      type: order.type,
      amount: order.amount,
      limitPrice: order.limit_price,
      status: order.status,
      statusReason: order.reason_code,
      filledAmount: order.filled_amount,
      averagePrice: filled.isZero() ? null : toMoney(exact(order.filled_notional).div(filled)).toFixed(),
      reason: order.reason ?? '',
    };
    recorder.order(row, order.receipt);
  }
}

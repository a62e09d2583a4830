/** Order groups: a limit of contracts within a rolling 15 seconds; beyond it, all orders of the group end. */
import { Decimal } from 'decimal.js';
import { SECOND_MS } from '../../../venues/time.ts';
import type { Account } from '../account.ts';
import { type Exchange, uuidOf } from '../exchange.ts';
import type { Fill } from '../orders.ts';

const WINDOW_MS = 15 * SECOND_MS;

export type OrderGroup = {
  readonly id: string;
  readonly account: Account;
  readonly shard: number;
  readonly limit: Decimal;
  isTriggered: boolean;
  /** Earlier fills no longer count. */
  countedFromMs: number;
};

export class OrderGroups {
  readonly #exchange: Exchange;
  readonly #groups = new Map<string, OrderGroup>();
  #made = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    exchange.listen((event) => {
      if (event.kind === 'fill') this.#count(event.fill);
    });
  }

  create(account: Account, shard: number, limit: Decimal): OrderGroup {
    this.#made += 1;
    const id = uuidOf(`kalshi/group/${this.#exchange.startedMs}/${this.#made}`);
    const group: OrderGroup = { id, account, shard, limit, isTriggered: false, countedFromMs: 0 };
    this.#groups.set(id, group);
    return group;
  }

  /** A group of the account, or null. */
  of(account: Account, id: string): OrderGroup | null {
    const group = this.#groups.get(id);
    return group?.account === account ? group : null;
  }

  all(account: Account): OrderGroup[] {
    return [...this.#groups.values()].filter((group) => group.account === account);
  }

  ordersOf(group: OrderGroup) {
    return this.#exchange.openOrders(group.account).filter(({ tags }) => tags['group'] === group.id);
  }

  trigger(group: OrderGroup): void {
    group.isTriggered = true;
    for (const order of this.ordersOf(group)) this.#exchange.cancel(order, 'order_group');
  }

  reset(group: OrderGroup): void {
    group.isTriggered = false;
    group.countedFromMs = this.#exchange.now();
  }

  remove(group: OrderGroup): void {
    this.trigger(group);
    this.#groups.delete(group.id);
  }

  #count({ order, atMs }: Fill): void {
    const group = this.#groups.get(order.tags['group'] ?? '');
    if (group === undefined || group.isTriggered) return;
    const fromMs = Math.max(group.countedFromMs, atMs - WINDOW_MS);
    const matched = this.#exchange.fills
      .filter((fill) => fill.order.tags['group'] === group.id && fill.atMs > fromMs)
      .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
    if (matched.greaterThan(group.limit)) this.trigger(group);
  }
}

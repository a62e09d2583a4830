import { Exact, exact, ZERO } from '../platform/decimal.ts';
import type { LedgerOrderRow } from './rows.ts';

type Sums = ReadonlyMap<string, Exact>;
/** The part of a booked order that determines its reserve. */
type LiveBuy = {
  readonly row: LedgerOrderRow;
  readonly lapsesAtMs: number;
  readonly filledAmount: Exact;
  readonly fees: Exact;
};
type Reserve = { readonly order: LiveBuy; readonly usd: Exact };

/** USD that live buys reserve, in total, by instrument and by strategy. */
export type Reserved = { readonly total: Exact; readonly byToken: Sums; readonly byBlueprint: Sums };

/**
 * Reserves of live buys as running sums. A decision takes from them only the orders that do not count in it. Each other live
 * order costs a comparison of numbers, not sums of decimals.
 */
export class BuyReserves {
  #total: Exact = ZERO;
  readonly #byToken = new Map<string, Exact>();
  readonly #byBlueprint = new Map<string, Exact>();
  readonly #live = new Map<string | null, Reserve>();

  /** Counts a live buy, again after a fill. */
  put(order: LiveBuy): void {
    this.drop(order);
    const reserve = { order, usd: reserveOf(order) };
    this.#live.set(order.row.id, reserve);
    this.#move(reserve, 1);
  }

  /** No longer counts it. */
  drop({ row }: Pick<LiveBuy, 'row'>): void {
    const reserve = this.#live.get(row.id);
    if (reserve === undefined) return;
    this.#live.delete(row.id);
    this.#move(reserve, -1);
  }

  /** The sums at `nowMs`: without expired orders, and without one order. */
  at(nowMs: number, exceptOrderId: string): Reserved {
    let total = this.#total;
    const byToken = new Map(this.#byToken);
    const byBlueprint = new Map(this.#byBlueprint);
    for (const { order, usd } of this.#live.values()) {
      if (order.row.id !== exceptOrderId && order.lapsesAtMs > nowMs) continue;
      total = total.minus(usd);
      add(byToken, order.row.token_id, usd.negated());
      add(byBlueprint, order.row.blueprint_id, usd.negated());
    }
    return { total, byToken, byBlueprint };
  }

  #move({ order: { row }, usd }: Reserve, sign: 1 | -1): void {
    const change = usd.times(sign);
    this.#total = this.#total.plus(change);
    add(this.#byToken, row.token_id, change);
    add(this.#byBlueprint, row.blueprint_id, change);
  }
}

const reserveOf = ({ row, filledAmount, fees }: LiveBuy): Exact =>
  exact(row.limit_price)
    .times(exact(row.amount).minus(filledAmount))
    .plus(Exact.max(exact(row.worst_fee).minus(fees), ZERO));

/** Adds to one of several sums. A sum of zero is removed: entries are counted as open positions. */
function add(sums: Map<string, Exact>, key: string, change: Exact): void {
  const sum = (sums.get(key) ?? ZERO).plus(change);
  if (sum.isZero()) sums.delete(key);
  else sums.set(key, sum);
}

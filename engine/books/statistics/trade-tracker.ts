import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import { isDust, type Lot } from '../../platform/instruments/lot.ts';

/** The key of a holding: an instrument in one blueprint. */
export type Holding = string;

/** An event of a holding, in order of time. Decimals are strings, prices and fees in USD. */
export type TradeEvent =
  | {
      readonly kind: 'fill';
      readonly holding: Holding;
      readonly atMs: number;
      readonly side: 'buy' | 'sell';
      readonly amount: string;
      readonly price: string;
      readonly fee: string;
      /** The venue's lot, on a sale that is followed by no further sale for now. Live mode only: a rest below it is dust. */
      readonly lot?: Lot;
    }
  /** The price one unit would sell at: for the best and the worst result of the trade. */
  | { readonly kind: 'mark'; readonly holding: Holding; readonly atMs: number; readonly price: string }
  /** The whole holding is settled at a stated value, without a fee. */
  | { readonly kind: 'settlement'; readonly holding: Holding; readonly atMs: number; readonly value: string };

/**
 * A cycle from flat through held to flat again, or to dust. Dust goes over into the next cycle at its cost. Partial sells do
 * not end a cycle.
 */
export type Trade = {
  readonly holding: Holding;
  readonly openedAtMs: number;
  readonly closedAtMs: number;
  /** Paid for all that was bought, without fees. */
  readonly bought: string;
  /** Received for all that was sold or settled, without fees. */
  readonly sold: string;
  readonly fees: string;
  /** `sold - bought - fees`. */
  readonly pnl: string;
  /** The most that was held at once, in units. */
  readonly amountMax: string;
  /** The mean price of the buys before the first sale. */
  readonly entryPrice: string;
  /** The settlement value; null if the holding was sold. */
  readonly settledAt: string | null;
  /** Worst and best result at any mark, USD, after the fees so far. The end counts too. */
  readonly worstPnl: string;
  readonly bestPnl: string;
};

/** A cycle that has not ended. */
export type OpenTrade = {
  readonly holding: Holding;
  readonly openedAtMs: number;
  readonly bought: string;
  readonly sold: string;
  readonly fees: string;
  readonly amount: string;
};

type Cycle = {
  readonly openedAtMs: number;
  amount: Exact;
  amountMax: Exact;
  bought: Exact;
  /** The units that `bought` paid for. */
  units: Exact;
  sold: Exact;
  fees: Exact;
  entry: { amount: Exact; notional: Exact } | null;
  entryPrice: Exact;
  worst: Exact;
  best: Exact;
};

type Rest = { readonly amount: Exact; readonly cost: Exact };

/** Follows holdings from flat to flat. Returns each trade as it ends and stores none, however many there are. */
export class TradeTracker {
  readonly #open = new Map<Holding, Cycle>();
  /** The rest that the last cycle left of a flat holding, and its cost. */
  readonly #rests = new Map<Holding, Rest>();

  /**
   * Takes one event; returns the trade that it ended, or null.
   *
   * @throws RangeError for a sale of more than is held: the books it comes from are wrong.
   */
  take(event: TradeEvent): Trade | null {
    switch (event.kind) {
      case 'fill':
        return event.side === 'buy' ? this.#buy(event) : this.#sell(event);
      case 'mark':
        this.#mark(event);
        return null;
      case 'settlement':
        return this.#settle(event);
    }
  }

  holds(holding: Holding): boolean {
    return this.#open.has(holding);
  }

  /** The current holdings, in the order they were first bought. */
  open(): OpenTrade[] {
    return [...this.#open].map(([holding, cycle]) => ({
      holding,
      openedAtMs: cycle.openedAtMs,
      bought: cycle.bought.toFixed(),
      sold: cycle.sold.toFixed(),
      fees: cycle.fees.toFixed(),
      amount: cycle.amount.toFixed(),
    }));
  }

  #buy({ holding, atMs, amount, price, fee }: TradeEvent & { kind: 'fill' }): null {
    const cycle = this.#open.get(holding) ?? this.#begin(holding, atMs);
    const notional = exact(amount).times(price);
    cycle.amount = cycle.amount.plus(amount);
    if (cycle.amount.gt(cycle.amountMax)) cycle.amountMax = cycle.amount;
    cycle.bought = cycle.bought.plus(notional);
    cycle.units = cycle.units.plus(amount);
    cycle.fees = cycle.fees.plus(fee);
    if (cycle.entry !== null) {
      cycle.entry.amount = cycle.entry.amount.plus(amount);
      cycle.entry.notional = cycle.entry.notional.plus(notional);
      cycle.entryPrice = cycle.entry.notional.div(cycle.entry.amount);
    }
    return null;
  }

  #begin(holding: Holding, atMs: number): Cycle {
    const { amount, cost } = this.#rests.get(holding) ?? { amount: ZERO, cost: ZERO };
    const cycle = { ...newCycle(atMs), amount, units: amount, bought: cost };
    this.#rests.delete(holding);
    this.#open.set(holding, cycle);
    return cycle;
  }

  #sell({ holding, atMs, amount, price, fee, lot }: TradeEvent & { kind: 'fill' }): Trade | null {
    const cycle = this.#held(holding, amount, atMs);
    cycle.entry = null;
    cycle.amount = cycle.amount.minus(amount);
    cycle.sold = cycle.sold.plus(exact(amount).times(price));
    cycle.fees = cycle.fees.plus(fee);
    if (lot !== undefined) this.#carryDust(holding, cycle, { price, lot });
    return cycle.amount.isZero() ? this.#end(holding, cycle, atMs, null) : null;
  }

  #carryDust(holding: Holding, cycle: Cycle, { price, lot }: { price: string; lot: Lot }): void {
    const rest = { amount: cycle.amount, cost: cycle.bought.div(cycle.units).times(cycle.amount) };
    if (!isDust(rest, exact(price), lot)) return;
    this.#rests.set(holding, rest);
    cycle.bought = cycle.bought.minus(rest.cost);
    cycle.amount = ZERO;
  }

  #settle({ holding, atMs, value }: TradeEvent & { kind: 'settlement' }): Trade | null {
    this.#rests.delete(holding);
    const cycle = this.#open.get(holding);
    if (cycle === undefined) return null;
    cycle.sold = cycle.sold.plus(cycle.amount.times(value));
    cycle.amount = ZERO;
    return this.#end(holding, cycle, atMs, value);
  }

  #mark({ holding, price }: TradeEvent & { kind: 'mark' }): void {
    const cycle = this.#open.get(holding);
    if (cycle !== undefined) seen(cycle, resultAt(cycle, price));
  }

  #held(holding: Holding, amount: string, atMs: number): Cycle {
    const cycle =
      this.#open.get(holding) ?? (this.#rests.has(holding) ? this.#begin(holding, atMs) : undefined);
    if (cycle === undefined || cycle.amount.lt(amount)) {
      throw new RangeError(`More of ${holding} was sold than held: ${amount}.`);
    }
    return cycle;
  }

  #end(holding: Holding, cycle: Cycle, closedAtMs: number, settledAt: string | null): Trade {
    this.#open.delete(holding);
    const pnl = resultAt(cycle, 0);
    seen(cycle, pnl);
    return {
      holding,
      openedAtMs: cycle.openedAtMs,
      closedAtMs,
      bought: cycle.bought.toFixed(),
      sold: cycle.sold.toFixed(),
      fees: cycle.fees.toFixed(),
      pnl: pnl.toFixed(),
      amountMax: cycle.amountMax.toFixed(),
      entryPrice: cycle.entryPrice.toFixed(),
      settledAt,
      worstPnl: cycle.worst.toFixed(),
      bestPnl: cycle.best.toFixed(),
    };
  }
}

const newCycle = (openedAtMs: number): Cycle => ({
  openedAtMs,
  amount: ZERO,
  amountMax: ZERO,
  bought: ZERO,
  units: ZERO,
  sold: ZERO,
  fees: ZERO,
  entry: { amount: ZERO, notional: ZERO },
  entryPrice: ZERO,
  worst: ZERO,
  best: ZERO,
});

/** The result of a cycle if all that is left is sold at `price`. */
const resultAt = ({ sold, bought, fees, amount }: Cycle, price: string | number): Exact =>
  sold.plus(amount.times(price)).minus(bought).minus(fees);

function seen(cycle: Cycle, result: Exact): void {
  if (result.lt(cycle.worst)) cycle.worst = result;
  if (result.gt(cycle.best)) cycle.best = result;
}

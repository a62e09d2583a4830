import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import { isDust, type Lot } from '../../platform/instruments/lot.ts';

/** Which holding something is about: an instrument in the hands of one blueprint. */
export type Holding = string;

/** What happens to a holding, in order of time. Decimals are strings, prices and fees in USD. */
export type TradeEvent =
  | {
      readonly kind: 'fill';
      readonly holding: Holding;
      readonly atMs: number;
      readonly side: 'buy' | 'sell';
      readonly amount: string;
      readonly price: string;
      readonly fee: string;
      /** What its venue takes, of a sale after which nothing more is sold for now; with real money alone: a rest below it is dust. */
      readonly lot?: Lot;
    }
  /** What one unit would bring if it were sold: for the best and the worst it came to. */
  | { readonly kind: 'mark'; readonly holding: Holding; readonly atMs: number; readonly price: string }
  /** All that is held is taken back at a stated value, without a fee. */
  | { readonly kind: 'settlement'; readonly holding: Holding; readonly atMs: number; readonly value: string };

/** A way from flat through held to flat again, or to dust, which goes over into the next one at what it cost. Partial sells do not end it. */
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
  /** The mean price of what was bought first, before the first sale. */
  readonly entryPrice: string;
  /** What it was settled at; null where it was sold. */
  readonly settledAt: string | null;
  /** Worst and best result it would have had at a mark, USD, fees so far taken off; the end counts too. */
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
  /** Units that `bought` was paid for. */
  units: Exact;
  sold: Exact;
  fees: Exact;
  entry: { amount: Exact; notional: Exact } | null;
  entryPrice: Exact;
  worst: Exact;
  best: Exact;
};

type Rest = { readonly amount: Exact; readonly cost: Exact };

/** Follows holdings from flat to flat. Tells each trade as it ends and keeps none, however many there are. */
export class Trades {
  readonly #open = new Map<Holding, Cycle>();
  /** What the last way left of a holding that is flat, and what it cost. */
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

  /** What is held now, in the order it was first bought. */
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
    if (lot !== undefined) this.#leaveDust(holding, cycle, { price, lot });
    return cycle.amount.isZero() ? this.#end(holding, cycle, atMs, null) : null;
  }

  #leaveDust(holding: Holding, cycle: Cycle, { price, lot }: { price: string; lot: Lot }): void {
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

/** What a cycle comes to if all that is left is sold at `price`. */
const resultAt = ({ sold, bought, fees, amount }: Cycle, price: string | number): Exact =>
  sold.plus(amount.times(price)).minus(bought).minus(fees);

function seen(cycle: Cycle, result: Exact): void {
  if (result.lt(cycle.worst)) cycle.worst = result;
  if (result.gt(cycle.best)) cycle.best = result;
}

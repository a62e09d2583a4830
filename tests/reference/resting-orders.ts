/** Bookkeeping of resting orders in plain loops, for scripts of strategies that quote: no graph, no engine. */

/** An order, or the cancel of one with its terms. */
export type RestingRow = readonly [
  now: number,
  node: string,
  act: 'buy' | 'sell' | 'cancel',
  token: string,
  amount: number,
  limit: number | null,
];

/** A condition; null is unknown. */
export type Known = boolean | null;

type Sides = { readonly bid: number | null; readonly ask: number | null };
type Order = { side: 'buy' | 'sell'; units: number; limit: number; isCanceled: boolean; until: number };
/** Digits of the smallest units and of the smallest difference of prices. */
type Digits = { readonly units: number; readonly price: number };

const exactly = (value: number, digits: number): number => Number(value.toFixed(digits));

/** One instrument: its resting orders, and what is held of it. */
export class Desk {
  readonly token: string;
  readonly rows: RestingRow[] = [];
  readonly orders = new Map<string, Order>();
  now = 0;
  quote: Sides = { bid: null, ask: null };
  held = 0;
  cost = 0;
  openedAt = 0;
  peak = 0;
  /** Units bought since the position was opened. */
  bought = 0;
  /** Whether an exit leaves at this moment. */
  isLeaving = false;
  /** Whether anything is sold at this moment. */
  isSelling = false;
  /** Units that the orders of each node have filled since it was deployed. */
  readonly filled = new Map<string, number>();
  readonly #digits: Digits;

  constructor(token: string, digits: Digits) {
    this.token = token;
    this.#digits = digits;
  }

  /** Fills what the quote reaches, whole and at its limit. Then cancels of the moment before, and ends, take effect. */
  open(now: number, quote: Sides): void {
    [this.now, this.quote, this.isLeaving, this.isSelling] = [now, quote, false, false];
    for (const [node, { side, units, limit, isCanceled, until }] of this.orders) {
      const { bid, ask } = quote;
      if (side === 'buy' ? ask !== null && ask <= limit : bid !== null && bid >= limit) {
        this.orders.delete(node);
        this.book(node, side, units, limit);
      } else if (isCanceled || now >= until) this.orders.delete(node);
    }
  }

  book(node: string, side: 'buy' | 'sell', units: number, price: number): void {
    this.filled.set(node, (this.filled.get(node) ?? 0) + units);
    if (side === 'buy') {
      if (this.held === 0) [this.openedAt, this.peak, this.bought] = [this.now, 0, 0];
      const has = this.#round(this.held + units);
      this.cost = (this.held * this.cost + units * price) / has;
      [this.held, this.bought] = [has, this.#round(this.bought + units)];
    } else this.held = this.#round(this.held - units);
  }

  /** Units whose resting orders are on this side. */
  resting(side: 'buy' | 'sell'): number {
    return [...this.orders.values()].reduce((sum, order) => sum + (order.side === side ? order.units : 0), 0);
  }

  get free(): number {
    return this.#round(this.held - this.resting('sell'));
  }

  place(
    node: string,
    side: 'buy' | 'sell',
    units: number,
    limit: number,
    until = Number.POSITIVE_INFINITY,
  ): void {
    this.rows.push([this.now, node, side, this.token, units, limit]);
    this.orders.set(node, { side, units, limit, isCanceled: false, until });
    this.isSelling ||= side === 'sell';
  }

  cancel(node: string): void {
    const order = this.orders.get(node);
    if (order === undefined || order.isCanceled) return;
    order.isCanceled = true;
    this.rows.push([this.now, node, 'cancel', this.token, order.units, order.limit]);
  }

  /** Sells all that is free at the bid, once: an exit. */
  leave(node: string): void {
    this.isLeaving = true;
    const { free } = this;
    if (free <= 0) return;
    this.rows.push([this.now, node, 'sell', this.token, free, null]);
    this.isSelling = true;
    this.book(node, 'sell', free, Number(this.quote.bid));
  }

  /** Sells at once at the bid, which is not below this limit. */
  sellAt(node: string, units: number, limit: number): void {
    this.rows.push([this.now, node, 'sell', this.token, units, limit]);
    this.isSelling = true;
    this.book(node, 'sell', units, Number(this.quote.bid));
  }

  /** Buys at once what is offered at an ask that is not above this limit. */
  buyAt(
    node: string,
    units: number,
    limit: number,
    { ask, askSize }: { ask: number | null; askSize: number | null },
  ): void {
    this.rows.push([this.now, node, 'buy', this.token, units, limit]);
    const filled = Math.min(units, this.floor(askSize ?? 0));
    if (filled > 0) this.book(node, 'buy', filled, Number(ask));
  }

  /** Buys at the ask what is offered there, at once; returns how much that was. */
  take(
    node: string,
    units: number,
    { ask, askSize }: { ask: number | null; askSize: number | null },
  ): number {
    const limit = this.onGrid('buy', Number(ask));
    this.rows.push([this.now, node, 'buy', this.token, units, limit]);
    const filled = limit < Number(ask) ? 0 : Math.min(units, this.floor(askSize ?? 0));
    if (filled > 0) this.book(node, 'buy', filled, Number(ask));
    return filled;
  }

  /** Buys whole at the ask, without a limit. */
  cover(node: string, units: number): void {
    const amount = this.floor(units);
    this.rows.push([this.now, node, 'buy', this.token, amount, null]);
    this.book(node, 'buy', amount, Number(this.quote.ask));
  }

  /** Units rounded down to the step; noise of a division costs no step. */
  floor(units: number): number {
    return (
      exactly(Math.floor(Number((units * 10 ** this.#digits.units).toPrecision(12))), 0) /
      10 ** this.#digits.units
    );
  }

  /** A price on the grid: a buy's rounded down, a sell's up. */
  onGrid(side: 'buy' | 'sell', price: number): number {
    const steps = Number((price * 10 ** this.#digits.price).toPrecision(12));
    return (side === 'buy' ? Math.floor(steps) : Math.ceil(steps)) / 10 ** this.#digits.price;
  }

  get tick(): number {
    return 10 ** -this.#digits.price;
  }

  #round(units: number): number {
    return exactly(units, this.#digits.units);
  }
}

const TINY = 1e-9;

type Rules = {
  readonly desk: Desk;
  readonly node: string;
  readonly side: 'buy' | 'sell';
  readonly pauseMs?: number;
  readonly ticks?: number;
  readonly repeats?: boolean;
  /** The amount is that of each moment, not that of the moment in which the condition turned true. */
  readonly follows?: boolean;
};
type Wish = {
  readonly when: Known;
  /** Units of a round; null is unknown. */
  readonly units: number | null;
  readonly price: number | null;
  /** Whether one more buy could pass a limit of the position. */
  readonly isFull?: () => boolean;
  /** Whether only own buys speak against the condition: they rest on. */
  readonly isOwn?: boolean;
};

/** Keeps one order at a price while its condition holds, and counts what it fills. */
export class Keeper {
  readonly #rules: Rules;
  #want: number | null = null;
  #filledBefore = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #openedAt = 0;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  step({ when, units, price, isFull = () => false, isOwn = false }: Wish): void {
    const { desk, node, side, follows = false, repeats = false, pauseMs = 30_000, ticks = 1 } = this.#rules;
    const live = desk.orders.get(node);
    if (when === false) {
      this.#want = null;
      desk.cancel(node);
      return;
    }
    if (follows) this.#follow(units ?? 0);
    const limit = price === null ? null : desk.onGrid(side, price);
    const isFit = (when === true || (isOwn && live !== undefined)) && limit !== null && !desk.isLeaving;
    if (!isFit) {
      desk.cancel(node);
      return;
    }
    const isPausing = desk.now < this.#lastAt + pauseMs;
    if (live !== undefined) {
      if (live.units > this.#left() + TINY) {
        desk.cancel(node);
        return;
      }
      if (isPausing) return;
      const most = Math.min(this.#left(), live.units + desk.free);
      const mayGrow = follows && desk.floor(most) > live.units;
      if (mayGrow || Math.abs(live.limit - limit) > ticks * desk.tick + TINY) desk.cancel(node);
      return;
    }
    if (!follows && (this.#want === null || (repeats && this.#left() <= 0))) {
      if (units === null) return;
      this.#begin(side === 'buy' ? desk.floor(units) : units);
    }
    const left = this.#left();
    if (left <= 0 || isPausing) return;
    const amount = side === 'buy' ? desk.floor(left) : left >= desk.free ? desk.free : desk.floor(left);
    if (amount <= 0) {
      // A rest below the step ends the round.
      if (!follows && desk.free > 0 && this.#got() > 0) this.#want = this.#got();
      return;
    }
    if (isFull()) return;
    this.#lastAt = desk.now;
    desk.place(node, side, amount, limit);
  }

  #follow(units: number): void {
    const { desk } = this.#rules;
    if (this.#want === null || this.#openedAt !== desk.openedAt) this.#begin(units);
    [this.#want, this.#openedAt] = [units, desk.openedAt];
  }

  #begin(units: number): void {
    const { desk, node } = this.#rules;
    [this.#want, this.#filledBefore] = [units, desk.filled.get(node) ?? 0];
  }

  #got(): number {
    const { desk, node } = this.#rules;
    return (desk.filled.get(node) ?? 0) - this.#filledBefore;
  }

  #left(): number {
    const left = (this.#want ?? 0) - this.#got();
    return left < TINY ? 0 : left;
  }
}

type Barriers = { stop?: number; trail?: number; closesInMs?: number; beforeMs?: number };

/** Watches a position as an exit does: leaves at a loss, at a fall from the highest bid, or before the close. */
export function watch(
  desk: Desk,
  node: string,
  { stop = 1, trail = 1, closesInMs = 1, beforeMs = 0 }: Barriers,
): void {
  const { bid } = desk.quote;
  if (desk.held === 0 || bid === null || bid <= 0) return;
  desk.peak = Math.max(desk.peak, bid);
  const isReached = bid <= desk.cost * (1 - stop) + TINY || bid <= desk.peak * (1 - trail) + TINY;
  if (isReached || closesInMs <= beforeMs) desk.leave(node);
}

/** Rows in the order of moments, those of one moment by node. */
export const sorted = (rows: readonly RestingRow[]): RestingRow[] =>
  rows.toSorted((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));

/**
 * A simulated exchange: it matches orders against the world's books and against each other, in price-time order. Its result is
 * a pure function of the world, the time and the orders received: extra requests in between change nothing.
 *
 * A taker gets the price of the level that it hits. A resting order is filled at its own price once the world's other side
 * reaches it. The size visible there bounds the fill. An amount taken from a level stays gone until that level shows another
 * size. So larger orders fill in parts over time.
 */
import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { TICK_MS, type WorldClock } from '../world/world-clock.ts';
import { Account, type AccountSpec, type Entry } from './account.ts';
import {
  type Fill,
  isOpen,
  type Level,
  type Order,
  type OrderDraft,
  type OrderStatus,
  reaches,
  remainingOf,
  stateOf,
  type WorldBook,
} from './orders.ts';

/** The differences between venues. */
export type Rules = {
  /** The world's book of an instrument at a tick; null if it does not trade then. */
  bookAt(instrument: string, tickMs: number): WorldBook | null;
  /** The reason why no order may rest on an instrument at a tick (`closed`); null if one may. */
  endOf(instrument: string, tickMs: number): string | null;
  /**
   * Posts the money and holdings of a trade to the account of its order (`fill.order.account`, never a stranger's); returns the
   * fee.
   */
  book(trade: Omit<Fill, 'fee' | 'feeAsset'>, account: Account): Pick<Fill, 'fee' | 'feeAsset'>;
  /**
   * The venue's id of an order or a trade, the `count`th of its kind. `isComing`: the trade is one that an incoming order
   * makes. Default: a UUID.
   */
  idOf?(kind: 'order' | 'trade', count: number, draft: OrderDraft, isComing: boolean): string;
  /** Other effects of passing time, such as settlement. Called once per evaluated tick, after matching. */
  atTick?(tickMs: number): void;
};

export type ExchangeEvent =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'entry'; readonly account: Account; readonly entry: Entry };

/** Differences between the stated and the charged values of a fill. */
export type Misstatement = { readonly priceBy: Decimal; readonly feeBy: Decimal };

/** An offer that can be hit: a level of the world, or a resting order. */
type Offer = { readonly price: Decimal; readonly size: Decimal; readonly resting: Order | null };

/** Ticks that are evaluated at most when time has passed without a request. */
const STEPS_MAX = 3_600;
const ZERO = new Decimal(0);

export class Exchange {
  readonly accounts = new Map<string, Account>();
  /** All orders ever, by the venue's id, in order of arrival. */
  readonly orders = new Map<string, Order>();
  readonly fills: Fill[] = [];
  /** World time of the start: a restarted simulator reuses no order id. */
  readonly startedMs: number;
  /** How far the venue's clock is ahead of the world's. */
  offsetMs = 0;
  /** How far the venue's reads lag behind its matching. */
  readLagMs = 0;
  /** `trading`: new orders are refused; `all`: cancels, too. */
  pause: 'trading' | 'all' | null = null;
  readonly #name: string;
  readonly #rules: Rules;
  readonly #clock: WorldClock;
  readonly #open = new Set<Order>();
  /** The amount taken from each level of the world, and the size that the level showed then. */
  readonly #taken = new Map<string, { visibleSize: Decimal; amount: Decimal }>();
  readonly #listeners = new Set<(event: ExchangeEvent) => void>();
  /** How the next fills of an account are stated, one after the other. */
  readonly #misstatements = new Map<Account, Misstatement[]>();
  #lastTickMs: number;

  constructor(name: string, rules: Rules, clock: WorldClock) {
    this.#name = name;
    this.#rules = rules;
    this.#clock = clock;
    this.startedMs = clock.now();
    this.#lastTickMs = this.#tickMs();
  }

  /** World time, the clock of all events here. */
  now(): number {
    return this.#clock.now();
  }

  /** The time on the venue's clock. */
  venueNow(): number {
    return this.#clock.now() + this.offsetMs;
  }

  openAccount(spec: AccountSpec): Account {
    if (this.accounts.has(spec.id)) throw new RangeError(`account ${spec.id} already exists`);
    const account = new Account(spec);
    this.accounts.set(spec.id, account);
    return account;
  }

  /** A deposit, or a withdrawal if the amount is negative. */
  transfer(account: Account, asset: string, amount: Decimal): void {
    this.advance();
    const kind = amount.isNegative() ? 'withdrawal' : 'deposit';
    this.post(account, { atMs: this.now(), kind, asset, amount, ref: '' });
  }

  post(account: Account, entry: Entry): void {
    account.post(entry);
    this.#emit({ kind: 'entry', account, entry });
  }

  openOrders(account: Account): Order[] {
    return [...this.#open].filter((order) => order.account === account);
  }

  /** The amount that would be filled at once. */
  fillable(draft: OrderDraft): Decimal {
    this.advance();
    return this.#offers(draft)
      .filter(({ resting }) => resting === null || resting.account !== draft.account)
      .reduce((sum, { size }) => Decimal.min(draft.amount, sum.plus(size)), ZERO);
  }

  /** Accepts an order that its venue has validated. */
  place(draft: OrderDraft): Order {
    this.advance();
    const sequence = this.orders.size + 1;
    const placedMs = this.now();
    const order: Order = {
      expiresMs: null,
      selfTrade: 'taker',
      tags: {},
      ...draft,
      id: this.#id('order', sequence, draft),
      sequence,
      placedMs,
      states: [{ atMs: placedMs, status: 'open', filled: ZERO, reason: null }],
      fills: [],
    };
    const isPossible = draft.timeInForce !== 'FOK' || this.fillable(draft).equals(draft.amount);
    this.orders.set(order.id, order);
    this.#open.add(order);
    this.#emit({ kind: 'order', order });
    if (isPossible) this.#take(order);
    if (isOpen(order) && draft.timeInForce !== 'GTC') this.#end(order, 'canceled', 'time_in_force', placedMs);
    return order;
  }

  /** Fills an amount of this very order at its price. */
  fillResting(order: Order, amount: Decimal): void {
    this.advance();
    if (!isOpen(order) || amount.greaterThan(remainingOf(order)))
      throw new RangeError(`order ${order.id} has less than that open`);
    this.#fill(
      order,
      { price: order.price, amount, liquidity: 'maker', atMs: this.now() },
      this.#tradeId(order),
    );
  }

  /** Ends an open order; false if it has ended already. */
  cancel(order: Order, reason = 'requested'): boolean {
    this.advance();
    if (!isOpen(order)) return false;
    this.#end(order, 'canceled', reason, this.now());
    return true;
  }

  /** Charges the next fills of an account as they are, and states them differently. */
  misstate(account: Account, misstatement: Misstatement, times: number): void {
    const planned = this.#misstatements.get(account) ?? [];
    this.#misstatements.set(account, [...planned, ...new Array<Misstatement>(times).fill(misstatement)]);
  }

  /** Charges another price for a fill than it stated, after the fact: money moves, and the fill stays as stated. */
  recharge(
    account: Account,
    { order, amount, price, id }: Fill,
    charged: { readonly price: Decimal; readonly asset: string },
  ): void {
    this.advance();
    const more = charged.price.minus(price).times(amount);
    const moved = order.side === 'buy' ? more.negated() : more;
    const entry = {
      atMs: this.now(),
      kind: 'correction',
      asset: charged.asset,
      amount: moved,
      ref: id,
    } as const;
    this.post(account, entry);
  }

  /** Takes back the last payout, as for a market that is settled once more with the other result. */
  takeBackPayout(account: Account): void {
    this.advance();
    const paid = account.entries.findLast(({ kind, amount }) => kind === 'settlement' && amount.isPositive());
    if (paid === undefined) throw new RangeError(`nothing was paid out to ${account.id}`);
    const amount = paid.amount.negated();
    this.post(account, { ...paid, atMs: this.now(), kind: 'correction', amount });
  }

  /** Loses a resting order: no read shows that it ever existed. */
  forget(order: Order): void {
    this.#open.delete(order);
    this.orders.delete(order.id);
  }

  /** Advances everything to the world's time. */
  advance(): void {
    const untilMs = this.#tickMs();
    const ticks = Math.round((untilMs - this.#lastTickMs) / TICK_MS);
    // A test may move the world back; it continues from there.
    if (ticks <= 0) {
      this.#lastTickMs = untilMs;
      return;
    }
    const steps = this.#open.size === 0 ? 1 : Math.min(ticks, STEPS_MAX);
    const fromMs = this.#lastTickMs;
    for (let step = 1; step <= steps; step += 1) {
      const tickMs = fromMs + Math.round((ticks * step) / steps) * TICK_MS;
      this.#lastTickMs = tickMs;
      for (const order of this.#byPriority()) this.#pass(order, tickMs);
      this.#rules.atTick?.(tickMs);
    }
  }

  /** Calls the listener with every event from now on; returns a function that stops it. */
  listen(listener: (event: ExchangeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tickMs(): number {
    return Math.floor(this.#clock.now() / TICK_MS) * TICK_MS;
  }

  #id(kind: 'order' | 'trade', count: number, draft: OrderDraft, isComing = false): string {
    return (
      this.#rules.idOf?.(kind, count, draft, isComing) ??
      uuidOf(`${this.#name}/${kind}/${this.startedMs}/${count}`)
    );
  }

  /** Best prices first, older orders before younger ones. */
  #byPriority(): Order[] {
    return [...this.#open].sort((a, b) => byPrice(a.side, a.price, b.price) || a.sequence - b.sequence);
  }

  /** Applies one tick to a resting order. */
  #pass(order: Order, tickMs: number): void {
    if (!isOpen(order)) return;
    const isExpired = order.expiresMs !== null && order.expiresMs <= tickMs;
    const end = isExpired ? 'expired' : this.#rules.endOf(order.instrument, tickMs);
    if (end !== null) {
      this.#end(order, isExpired ? 'expired' : 'canceled', end, tickMs);
      return;
    }
    if (this.pause !== null) return;
    for (const { price, size } of this.#worldOffers(order, tickMs)) {
      const amount = Decimal.min(size, remainingOf(order));
      if (amount.isZero()) return;
      this.#takeLevel(order, price, amount);
      this.#fill(
        order,
        { price: order.price, amount, liquidity: 'maker', atMs: tickMs },
        this.#tradeId(order),
      );
    }
  }

  /** Fills an incoming order from the offers that it reaches. */
  #take(order: Order): void {
    const atMs = this.now();
    for (const { price, size, resting } of this.#offers(order)) {
      const amount = Decimal.min(size, remainingOf(order));
      if (amount.isZero()) return;
      if (resting !== null && resting.account !== null && resting.account === order.account) {
        this.#end(order.selfTrade === 'taker' ? order : resting, 'canceled', 'self_trade', atMs);
        if (order.selfTrade === 'taker') return;
        continue;
      }
      const id = this.#tradeId(order, true);
      if (resting === null) this.#takeLevel(order, price, amount);
      else this.#fill(resting, { price, amount, liquidity: 'maker', atMs }, id);
      this.#fill(order, { price, amount, liquidity: 'taker', atMs }, id);
    }
  }

  #offers(draft: OrderDraft): Offer[] {
    const resting = this.#byPriority()
      .filter(
        (other) =>
          other.instrument === draft.instrument && other.side !== draft.side && reaches(draft, other.price),
      )
      .map((other) => ({ price: other.price, size: remainingOf(other), resting: other }));
    const world = this.#worldOffers(draft, this.#tickMs()).map((level) => ({ ...level, resting: null }));
    // A stable sort: at one price the world comes first.
    return [...world, ...resting].sort((a, b) => byPrice(otherSide(draft), a.price, b.price));
  }

  /** Levels of the world that an order reaches, less the amounts taken from them. */
  #worldOffers(draft: OrderDraft, tickMs: number): Level[] {
    const book = this.#rules.bookAt(draft.instrument, tickMs);
    const levels = draft.side === 'buy' ? book?.asks : book?.bids;
    return (levels ?? [])
      .filter(({ price }) => reaches(draft, price))
      .map(({ price, size }) => ({ price, size: this.#left(levelKey(draft, price), size) }))
      .filter(({ size }) => size.isPositive() && !size.isZero());
  }

  #left(key: string, visibleSize: Decimal): Decimal {
    const taken = this.#taken.get(key);
    if (taken === undefined || !taken.visibleSize.equals(visibleSize)) {
      this.#taken.set(key, { visibleSize, amount: ZERO });
      return visibleSize;
    }
    return visibleSize.minus(taken.amount);
  }

  #takeLevel(draft: OrderDraft, price: Decimal, amount: Decimal): void {
    const taken = this.#taken.get(levelKey(draft, price));
    if (taken !== undefined) taken.amount = taken.amount.plus(amount);
  }

  #tradeId(draft: OrderDraft, isComing = false): string {
    return this.#id('trade', this.fills.length + 1, draft, isComing);
  }

  #fill(order: Order, part: Pick<Fill, 'price' | 'amount' | 'liquidity' | 'atMs'>, id: string): void {
    const trade = { id, order, ...part };
    const cost =
      order.account === null ? { fee: ZERO, feeAsset: '' } : this.#rules.book(trade, order.account);
    const fill = this.#stated({ ...trade, ...cost });
    order.fills.push(fill);
    this.fills.push(fill);
    const filled = stateOf(order).filled.plus(part.amount);
    const isFull = filled.equals(order.amount);
    order.states.push({ atMs: part.atMs, status: isFull ? 'filled' : 'open', filled, reason: null });
    if (isFull) this.#open.delete(order);
    this.#emit({ kind: 'fill', fill });
    this.#emit({ kind: 'order', order });
  }

  #stated(fill: Fill): Fill {
    const { account } = fill.order;
    const by = account === null ? undefined : this.#misstatements.get(account)?.shift();
    return by === undefined
      ? fill
      : { ...fill, price: fill.price.plus(by.priceBy), fee: fill.fee.plus(by.feeBy) };
  }

  #end(order: Order, status: OrderStatus, reason: string, atMs: number): void {
    order.states.push({ atMs, status, filled: stateOf(order).filled, reason });
    this.#open.delete(order);
    this.#emit({ kind: 'order', order });
  }

  #emit(event: ExchangeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const otherSide = ({ side }: Pick<OrderDraft, 'side'>) => (side === 'buy' ? 'sell' : 'buy');

/** Prices of buyers descend, prices of sellers ascend. */
const byPrice = (side: OrderDraft['side'], a: Decimal, b: Decimal): number =>
  side === 'buy' ? b.comparedTo(a) : a.comparedTo(b);

const levelKey = ({ instrument, side }: OrderDraft, price: Decimal): string =>
  `${instrument}/${side}/${price.toFixed()}`;

/** A UUID that is the same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

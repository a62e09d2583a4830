/**
 * A simulated exchange: it matches orders against the world's books and against each other, in price-time order. What it does is
 * a pure function of the world, of time and of the orders it got: how often somebody asks in between changes nothing.
 *
 * A taker gets the price of what it hits. An order that rests is filled at its own price once the world's other side reaches
 * it, by what is shown there; what was taken from a level of the world is gone until that level shows another size, so that
 * larger orders fill in parts over time.
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

/** What differs from venue to venue. */
export type Rules = {
  /** The world's book of an instrument at a tick; null where it does not trade then. */
  bookAt(instrument: string, tickMs: number): WorldBook | null;
  /** Why nothing may rest on an instrument at a tick (`closed`); null where it may. */
  endOf(instrument: string, tickMs: number): string | null;
  /** Posts what a trade moves to the account of its order (`fill.order.account`, never a stranger's), and says what it costs. */
  book(trade: Omit<Fill, 'fee' | 'feeAsset'>, account: Account): Pick<Fill, 'fee' | 'feeAsset'>;
  /** The venue's id of an order or a trade, the `count`th of its kind; `isComing`: of what an order meets on its way in. Default: a UUID. */
  idOf?(kind: 'order' | 'trade', count: number, draft: OrderDraft, isComing: boolean): string;
  /** What else happens as time passes, such as settlement. Called once per tick that is looked at, after matching. */
  atTick?(tickMs: number): void;
};

export type ExchangeEvent =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'entry'; readonly account: Account; readonly entry: Entry };

/** Differences between the statement of a fill and its charge. */
export type Misstatement = { readonly priceBy: Decimal; readonly feeBy: Decimal };

/** What can be hit: a level of the world, or an order that rests. */
type Offer = { readonly price: Decimal; readonly size: Decimal; readonly resting: Order | null };

/** Of a longer time nobody looked at, so many moments are looked at. */
const LOOKS_MAX = 3_600;
const ZERO = new Decimal(0);

export class Exchange {
  readonly accounts = new Map<string, Account>();
  /** All orders ever, by the venue's id, in the order they came. */
  readonly orders = new Map<string, Order>();
  readonly fills: Fill[] = [];
  /** World time at which it began: a simulator that is started again names no order as one of before. */
  readonly startedMs: number;
  /** By how much the venue's clock is ahead of the world's. */
  offsetMs = 0;
  /** How far the venue's reads are behind its matching. */
  readLagMs = 0;
  /** `trading`: nothing new is taken; `all`: cancels neither. */
  pause: 'trading' | 'all' | null = null;
  readonly #name: string;
  readonly #rules: Rules;
  readonly #clock: WorldClock;
  readonly #open = new Set<Order>();
  /** What was taken from the levels of the world, and the size they showed then. */
  readonly #taken = new Map<string, { shown: Decimal; amount: Decimal }>();
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

  /** World time, by which everything here happens. */
  now(): number {
    return this.#clock.now();
  }

  /** What the venue believes the time is. */
  venueNow(): number {
    return this.#clock.now() + this.offsetMs;
  }

  openAccount(spec: AccountSpec): Account {
    if (this.accounts.has(spec.id)) throw new RangeError(`there is an account ${spec.id}`);
    const account = new Account(spec);
    this.accounts.set(spec.id, account);
    return account;
  }

  /** A deposit, or a withdrawal where the amount is negative. */
  transfer(account: Account, asset: string, amount: Decimal): void {
    this.advance();
    const kind = amount.isNegative() ? 'withdrawal' : 'deposit';
    this.post(account, { atMs: this.now(), kind, asset, amount, ref: '' });
  }

  post(account: Account, entry: Entry): void {
    account.post(entry);
    this.#tell({ kind: 'entry', account, entry });
  }

  openOrders(account: Account): Order[] {
    return [...this.#open].filter((order) => order.account === account);
  }

  /** How much of it would be filled at once. */
  fillable(draft: OrderDraft): Decimal {
    this.advance();
    return this.#offers(draft)
      .filter(({ resting }) => resting === null || resting.account !== draft.account)
      .reduce((sum, { size }) => Decimal.min(draft.amount, sum.plus(size)), ZERO);
  }

  /** Takes an order, whose venue has found it acceptable. */
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
    this.#tell({ kind: 'order', order });
    if (isPossible) this.#take(order);
    if (isOpen(order) && draft.timeInForce !== 'GTC') this.#end(order, 'canceled', 'time_in_force', placedMs);
    return order;
  }

  /** Somebody trades with this very order: so much of what rests is filled at its price. */
  hit(order: Order, amount: Decimal): void {
    this.advance();
    if (!isOpen(order) || amount.greaterThan(remainingOf(order)))
      throw new RangeError(`not so much of order ${order.id} is open`);
    this.#fill(
      order,
      { price: order.price, amount, liquidity: 'maker', atMs: this.now() },
      this.#tradeId(order),
    );
  }

  /** Ends an open order; false where it has ended already. */
  cancel(order: Order, reason = 'requested'): boolean {
    this.advance();
    if (!isOpen(order)) return false;
    this.#end(order, 'canceled', reason, this.now());
    return true;
  }

  /** Charges the next fills of an account as they are, and states them otherwise. */
  misstate(account: Account, misstatement: Misstatement, times: number): void {
    const planned = this.#misstatements.get(account) ?? [];
    this.#misstatements.set(account, [...planned, ...new Array<Misstatement>(times).fill(misstatement)]);
  }

  /** Charges another price for a fill than it stated, after the fact: money moves, and the fill stays as it was stated. */
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

  /** Takes the last payout of a settlement back, as for a market that is settled once more, the other way. */
  takeBackPayout(account: Account): void {
    this.advance();
    const paid = account.entries.findLast(({ kind, amount }) => kind === 'settlement' && amount.isPositive());
    if (paid === undefined) throw new RangeError(`nothing was paid out to ${account.id}`);
    const amount = paid.amount.negated();
    this.post(account, { ...paid, atMs: this.now(), kind: 'correction', amount });
  }

  /** Loses an order that rests: nothing shows that there ever was one. */
  forget(order: Order): void {
    this.#open.delete(order);
    this.orders.delete(order.id);
  }

  /** Brings everything up to the world's time. */
  advance(): void {
    const untilMs = this.#tickMs();
    const ticks = Math.round((untilMs - this.#lastTickMs) / TICK_MS);
    // A test may move the world back; it goes on from there.
    if (ticks <= 0) {
      this.#lastTickMs = untilMs;
      return;
    }
    const looks = this.#open.size === 0 ? 1 : Math.min(ticks, LOOKS_MAX);
    const fromMs = this.#lastTickMs;
    for (let look = 1; look <= looks; look += 1) {
      const tickMs = fromMs + Math.round((ticks * look) / looks) * TICK_MS;
      this.#lastTickMs = tickMs;
      for (const order of this.#byPriority()) this.#pass(order, tickMs);
      this.#rules.atTick?.(tickMs);
    }
  }

  /** Hears of everything that happens from now on; returns how to stop. */
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

  /** What one tick does to an order that rests. */
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

  /** Hits what an order that comes in can hit. */
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
    // A stable sort: at one price the world was there first.
    return [...world, ...resting].sort((a, b) => byPrice(otherSide(draft), a.price, b.price));
  }

  /** Levels of the world that an order reaches, less what was taken from them. */
  #worldOffers(draft: OrderDraft, tickMs: number): Level[] {
    const book = this.#rules.bookAt(draft.instrument, tickMs);
    const levels = draft.side === 'buy' ? book?.asks : book?.bids;
    return (levels ?? [])
      .filter(({ price }) => reaches(draft, price))
      .map(({ price, size }) => ({ price, size: this.#left(levelKey(draft, price), size) }))
      .filter(({ size }) => size.isPositive() && !size.isZero());
  }

  #left(key: string, shown: Decimal): Decimal {
    const taken = this.#taken.get(key);
    if (taken === undefined || !taken.shown.equals(shown)) {
      this.#taken.set(key, { shown, amount: ZERO });
      return shown;
    }
    return shown.minus(taken.amount);
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
    this.#tell({ kind: 'fill', fill });
    this.#tell({ kind: 'order', order });
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
    this.#tell({ kind: 'order', order });
  }

  #tell(event: ExchangeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const otherSide = ({ side }: Pick<OrderDraft, 'side'>) => (side === 'buy' ? 'sell' : 'buy');

/** Buyers' prices from the highest, sellers' from the lowest. */
const byPrice = (side: OrderDraft['side'], a: Decimal, b: Decimal): number =>
  side === 'buy' ? b.comparedTo(a) : a.comparedTo(b);

const levelKey = ({ instrument, side }: OrderDraft, price: Decimal): string =>
  `${instrument}/${side}/${price.toFixed()}`;

/** A UUID that is the same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

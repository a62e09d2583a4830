/** Orders and fills of the simulated venues, before any wire format. */
import type { Decimal } from 'decimal.js';
import type { Account } from './account.ts';

export type Side = 'buy' | 'sell';

export type Level = { readonly price: Decimal; readonly size: Decimal };
/** The world's book at a time, best first on both sides. */
export type WorldBook = { readonly bids: readonly Level[]; readonly asks: readonly Level[] };

export type OrderStatus = 'open' | 'filled' | 'canceled' | 'expired';

export type OrderDraft = {
  /** null: a stranger, who has unlimited money and is not reported on. */
  readonly account: Account | null;
  readonly clientOrderId: string;
  /** The key of the world's book, such as a ticker, a token or a symbol. */
  readonly instrument: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
  /** `IOC` fills at once as far as possible, `FOK` all or nothing, `GTC` rests. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  /** World time at which a resting order ends; null: never. */
  readonly expiresMs?: number | null;
  /** The order that is canceled if an account would trade with itself; default the incoming one. */
  readonly selfTrade?: 'taker' | 'maker';
  /** Data that only its venue uses. */
  readonly tags?: Readonly<Record<string, string>>;
};

/** The state of an order from a time on. */
export type OrderState = {
  readonly atMs: number;
  readonly status: OrderStatus;
  readonly filled: Decimal;
  /**
   * Why it ended, in the simulator's words: `requested`, `time_in_force`, `self_trade`, `closed`, `paused` …; null while open.
   */
  readonly reason: string | null;
};

export type Order = Required<OrderDraft> & {
  /** The venue's id. */
  readonly id: string;
  /** Counts all orders of the venue: time priority. */
  readonly sequence: number;
  readonly placedMs: number;
  /** All its states, oldest first; never empty. */
  readonly states: OrderState[];
  readonly fills: Fill[];
};

export type Fill = {
  /** The trade's id: both sides of a trade between two accounts have it. */
  readonly id: string;
  readonly order: Order;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly liquidity: 'maker' | 'taker';
  readonly atMs: number;
  /** The fee that the venue charges, in units of `feeAsset`. */
  readonly fee: Decimal;
  readonly feeAsset: string;
};

export const stateOf = ({ states }: Order): OrderState => states[states.length - 1] as OrderState;
export const remainingOf = (order: Order): Decimal => order.amount.minus(stateOf(order).filled);
export const isOpen = (order: Order): boolean => stateOf(order).status === 'open';
/** The state at a time; null before the order existed. */
export const stateAt = ({ states }: Order, timeMs: number): OrderState | null =>
  states.findLast(({ atMs }) => atMs <= timeMs) ?? null;

/** Whether a price is at least as good as the order's limit. */
export const reaches = ({ side, price }: Pick<Order, 'side' | 'price'>, offered: Decimal): boolean =>
  side === 'buy' ? offered.lessThanOrEqualTo(price) : offered.greaterThanOrEqualTo(price);

/** Kalshi's wire format of orders, fills and positions, as its reads show them at a time. */
import { Decimal } from 'decimal.js';
import { SECOND_MS } from '../../../venues/time.ts';
import { type Fill, type Order, type OrderState, stateAt } from '../orders.ts';
import { count, dollars, time } from './replies.ts';

const ZERO = new Decimal(0);
const ONE = new Decimal(1);

const STATUSES = { open: 'resting', filled: 'executed', canceled: 'canceled', expired: 'canceled' } as const;

/** Direction in the words of the venue: an ask is positioned for no. */
export const directionOf = ({ side }: Pick<Order, 'side'>) => ({
  outcome_side: side === 'buy' ? 'yes' : 'no',
  book_side: side === 'buy' ? 'bid' : 'ask',
  side: 'yes',
  action: side,
});

const pricesOf = (price: Decimal) => ({
  yes_price_dollars: dollars(price),
  no_price_dollars: dollars(ONE.minus(price)),
});

const sumOf = (fills: readonly Fill[], value: (fill: Fill) => Decimal): string =>
  dollars(
    fills.reduce((sum, fill) => sum.plus(value(fill)), ZERO),
    6,
  );

/** The cost of its side: a no contract costs one dollar less the yes price. */
const costOf = ({ order, price, amount }: Fill): Decimal =>
  amount.times(order.side === 'buy' ? price : ONE.minus(price));

function amountsOf(order: Order, { status, filled, atMs }: OrderState) {
  const visible = order.fills.filter((fill) => fill.atMs <= atMs);
  const [takers, makers] = [
    visible.filter(({ liquidity }) => liquidity === 'taker'),
    visible.filter(({ liquidity }) => liquidity === 'maker'),
  ];
  return {
    status: STATUSES[status],
    fill_count_fp: count(filled),
    remaining_count_fp: count(status === 'open' ? order.amount.minus(filled) : ZERO),
    initial_count_fp: count(order.amount),
    taker_fees_dollars: sumOf(takers, ({ fee }) => fee),
    maker_fees_dollars: sumOf(makers, ({ fee }) => fee),
    taker_fill_cost_dollars: sumOf(takers, costOf),
    maker_fill_cost_dollars: sumOf(makers, costOf),
  };
}

/**
 * The reason of the last change, in the venue's words as far as they are known: the end of orders when a market or the venue
 * pauses.
 */
const updateReasonOf = ({ reason }: OrderState) =>
  reason === 'paused' || reason === 'market_paused' ? { last_update_reason: 'MarketPauseCancel' } : {};

/** An order as it was at a time; null before it existed. `offsetMs`: the venue's clock less the world's. */
export function orderRecord(order: Order, asOfMs: number, offsetMs: number) {
  const state = stateAt(order, asOfMs);
  if (state === null) return null;
  return {
    order_id: order.id,
    user_id: order.account?.id ?? '',
    client_order_id: order.clientOrderId,
    ticker: order.instrument,
    ...directionOf(order),
    type: 'limit',
    ...pricesOf(order.price),
    ...amountsOf(order, state),
    self_trade_prevention_type: order.tags['selfTrade'] ?? 'taker_at_cross',
    expiration_time: order.expiresMs === null ? null : time(order.expiresMs),
    created_time: time(order.placedMs + offsetMs),
    last_update_time: time(state.atMs + offsetMs),
    ...updateReasonOf(state),
    ...(order.tags['group'] ? { order_group_id: order.tags['group'] } : {}),
    cancel_order_on_pause: order.tags['cancelOnPause'] === 'true',
    subaccount_number: 0,
    exchange_index: Number(order.tags['shard'] ?? 0),
  };
}

export function fillRecord(fill: Fill, offsetMs: number) {
  const { order, price, amount, liquidity, fee } = fill;
  const atMs = fill.atMs + offsetMs;
  return {
    fill_id: fill.id,
    trade_id: fill.id,
    order_id: order.id,
    ticker: order.instrument,
    market_ticker: order.instrument,
    ...directionOf(order),
    count_fp: count(amount),
    ...pricesOf(price),
    is_taker: liquidity === 'taker',
    fee_cost: dollars(fee, 6),
    created_time: time(atMs),
    ts: Math.floor(atMs / SECOND_MS),
    subaccount_number: 0,
    exchange_index: Number(order.tags['shard'] ?? 0),
  };
}

/** The body of a `user_order` message; its times are numbers. */
export function orderMessage(order: Order, state: OrderState, offsetMs: number) {
  return {
    order_id: order.id,
    user_id: order.account?.id ?? '',
    client_order_id: order.clientOrderId,
    ticker: order.instrument,
    ...directionOf(order),
    yes_price_dollars: dollars(order.price),
    ...amountsOf(order, state),
    created_ts_ms: order.placedMs + offsetMs,
    last_updated_ts_ms: state.atMs + offsetMs,
    ...updateReasonOf(state),
    subaccount_number: 0,
  };
}

/** The body of a `fill` message; unlike the listing it names the client order id. */
export function fillMessage(fill: Fill, position: Decimal, offsetMs: number) {
  const { order, price, amount, liquidity, fee } = fill;
  return {
    trade_id: fill.id,
    order_id: order.id,
    client_order_id: order.clientOrderId,
    market_ticker: order.instrument,
    exchange_index: Number(order.tags['shard'] ?? 0),
    is_taker: liquidity === 'taker',
    ...directionOf(order),
    yes_price_dollars: dollars(price),
    count_fp: count(amount),
    fee_cost: dollars(fee, 6),
    ts_ms: fill.atMs + offsetMs,
    post_position_fp: count(position),
    subaccount: 0,
  };
}

/** Orders, trades and reports as Binance writes them. */
import { Decimal } from 'decimal.js';
import { type Fill, type Order, type OrderState, stateAt, stateOf } from '../orders.ts';
import { amount } from './replies.ts';

/** A partly filled resting order has its own status, and so has each reason to end. */
export function statusOf({ status, filled, reason }: OrderState): string {
  if (status === 'filled') return 'FILLED';
  if (status === 'open') return filled.isZero() ? 'NEW' : 'PARTIALLY_FILLED';
  if (reason === 'self_trade') return 'EXPIRED_IN_MATCH';
  return reason === 'requested' ? 'CANCELED' : 'EXPIRED';
}

/** The reason of an expiry; null if the order did not expire. */
export function expiryReasonOf(order: Order, state: OrderState): string | null {
  if (statusOf(state) !== 'EXPIRED') return null;
  if (state.reason !== 'time_in_force') return 'EXCHANGE_CANCELED';
  return order.timeInForce === 'IOC' ? 'UNFILLED_IOC_QUANTITY_EXPIRED' : 'UNFILLED_FOK_ORDER_EXPIRED';
}

const quoteOf = (fills: readonly Fill[]): Decimal =>
  fills.reduce((sum, fill) => sum.plus(fill.price.times(fill.amount)), new Decimal(0));

/** The fields that all answers about an order have. */
export function orderFields(order: Order, asOfMs = Number.POSITIVE_INFINITY) {
  const state = stateAt(order, asOfMs) ?? stateOf(order);
  const expiryReason = expiryReasonOf(order, state);
  return {
    symbol: order.instrument,
    orderId: Number(order.id),
    orderListId: -1,
    clientOrderId: order.clientOrderId,
    price: amount(order.price),
    origQty: amount(order.amount),
    executedQty: amount(state.filled),
    origQuoteOrderQty: '0.00000000',
    cummulativeQuoteQty: amount(quoteOf(order.fills.filter(({ atMs }) => atMs <= asOfMs))),
    status: statusOf(state),
    timeInForce: order.timeInForce,
    type: 'LIMIT',
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    selfTradePreventionMode: 'EXPIRE_TAKER',
    ...(expiryReason !== null && { expiryReason }),
  };
}

export const placedRecord = (order: Order, offsetMs: number) => ({
  ...orderFields(order),
  transactTime: order.placedMs + offsetMs,
  workingTime: order.placedMs + offsetMs,
  fills: order.fills.map((fill) => ({
    price: amount(fill.price),
    qty: amount(fill.amount),
    commission: amount(fill.fee),
    commissionAsset: fill.feeAsset,
    tradeId: Number(fill.id),
  })),
});

export const orderRecord = (order: Order, offsetMs: number, asOfMs: number) => ({
  ...orderFields(order, asOfMs),
  stopPrice: '0.00000000',
  icebergQty: '0.00000000',
  time: order.placedMs + offsetMs,
  updateTime: (stateAt(order, asOfMs) ?? stateOf(order)).atMs + offsetMs,
  isWorking: true,
  workingTime: order.placedMs + offsetMs,
});

export const canceledRecord = (order: Order, cancelId: string, transactTime: number) => ({
  ...orderFields(order),
  origClientOrderId: order.clientOrderId,
  clientOrderId: cancelId,
  transactTime,
});

export const tradeRecord = (fill: Fill, offsetMs: number) => ({
  symbol: fill.order.instrument,
  id: Number(fill.id),
  orderId: Number(fill.order.id),
  orderListId: -1,
  price: amount(fill.price),
  qty: amount(fill.amount),
  quoteQty: amount(fill.price.times(fill.amount)),
  commission: amount(fill.fee),
  commissionAsset: fill.feeAsset,
  time: fill.atMs + offsetMs,
  isBuyer: fill.order.side === 'buy',
  isMaker: fill.liquidity === 'maker',
  isBestMatch: true,
});

/** `execution`: the kind of event. In a cancel, `c` is the cancel's own id and `C` the order's. */
export function executionReport(
  order: Order,
  execution: { readonly type: string; readonly fill: Fill | null; readonly cancelId: string | null },
  offsetMs: number,
) {
  const { type, fill, cancelId } = execution;
  const state = stateOf(order);
  const expiryReason = expiryReasonOf(order, state);
  return {
    e: 'executionReport',
    E: state.atMs + offsetMs,
    s: order.instrument,
    c: cancelId ?? order.clientOrderId,
    S: order.side === 'buy' ? 'BUY' : 'SELL',
    o: 'LIMIT',
    f: order.timeInForce,
    q: amount(order.amount),
    p: amount(order.price),
    P: '0.00000000',
    F: '0.00000000',
    g: -1,
    C: cancelId === null ? '' : order.clientOrderId,
    x: type,
    X: statusOf(state),
    r: 'NONE',
    i: Number(order.id),
    l: fill === null ? '0.00000000' : amount(fill.amount),
    z: amount(state.filled),
    L: fill === null ? '0.00000000' : amount(fill.price),
    n: fill === null ? '0' : amount(fill.fee),
    N: fill === null ? null : fill.feeAsset,
    T: (fill ?? state).atMs + offsetMs,
    t: fill === null ? -1 : Number(fill.id),
    I: 8_641_984 + order.sequence,
    w: state.status === 'open',
    m: fill?.liquidity === 'maker',
    M: false,
    O: order.placedMs + offsetMs,
    Z: amount(quoteOf(order.fills)),
    Y: fill === null ? '0.00000000' : amount(fill.price.times(fill.amount)),
    Q: '0.00000000',
    V: 'EXPIRE_TAKER',
    ...(expiryReason !== null && { eR: expiryReason }),
  };
}

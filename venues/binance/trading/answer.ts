/**
 * Parses Binance's answers. Pure, and fails closed: an answer that cannot be parsed throws a VenueError, which changes nothing.
 * Only an answer that proves that there is no order refuses one.
 */
import { Decimal } from 'decimal.js';
import type { z } from 'zod';
import type { CancelResult, OpenVenueOrder, PlaceResult, VenueOrder } from '../../broker.ts';
import { VenueError } from '../../errors.ts';
import type { OnceAnswer } from '../../http/send-once.ts';
import { product, total, trimmed } from '../../parse/decimal.ts';
import { isDollar } from '../../trading.ts';
import type { OrderRequest } from './request.ts';
import {
  type OrderStatus,
  WireCanceled,
  WireFailure,
  type WireOrder,
  WirePlaced,
  type WireTrade,
} from './wire.ts';

export type Answer = Pick<OnceAnswer, 'status' | 'body'>;

/** A trade before its commission is valued in USD. */
export type Trade = Omit<WireTrade, 'isBuyer' | 'isMaker'> & { readonly isMaker: boolean };

/** The venue's statement about an order, without its fills. */
export type OrderState = Omit<VenueOrder, 'fills'>;

export const unreadable = (what: string, cause?: unknown): VenueError =>
  VenueError.unreadable(`Binance sent ${what} of unexpected shape`, cause);

/** The body of a good answer. Throws a VenueError for any other answer and any other shape. */
export function parseBody<T>({ status, body }: Answer, schema: z.ZodType<T>, what: string): T {
  if (status !== 200) throw refusalError({ status, body }, what);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw unreadable(what, result.error);
}

/** The reason of a refused read: contains the venue's code, never its text. */
export function refusalError(answer: Answer, what: string): VenueError {
  const code = codeOf(answer);
  if (code === BAD_SIGNATURE)
    return VenueError.refused(
      401,
      'Binance does not accept the signature: the secret is not that of the key',
    );
  const message = `Binance did not return ${what}: status ${answer.status}${code === null ? '' : `, code ${code}`}`;
  // 403 is its firewall and does not concern the key.
  return answer.status === 403 ? VenueError.unavailable(message) : VenueError.refused(answer.status, message);
}

const BAD_SIGNATURE = -1022;

/** The code of a failure, or null if the answer is no failure of Binance's own shape. */
export function codeOf({ status, body }: Answer): number | null {
  if (status >= 200 && status < 300) return null;
  const failure = WireFailure.safeParse(body);
  return failure.success ? failure.data.code : null;
}

/** Codes that do not tell whether an order exists: unknown, disconnected, lost, timeout, busy, shutting down. */
const UNDECIDED: ReadonlySet<number> = new Set([-1000, -1001, -1006, -1007, -1008, -1016]);

const REFUSALS: Readonly<Record<number, readonly [code: string, reason: string]>> = {
  [-1002]: ['unauthorized', 'Binance does not accept the key.'],
  [-1003]: ['rate_limited', 'The rate limit of Binance is reached.'],
  [-1013]: ['filter_failure', 'The order breaks a rule of the symbol.'],
  [-1015]: ['rate_limited', 'The order limit of Binance is reached.'],
  [-1021]: ['arrived_late', 'The request arrived outside the time window of its signature.'],
  [BAD_SIGNATURE]: ['bad_signature', 'Binance does not accept the signature.'],
  [-1111]: ['off_tick', 'The price or the amount has too many decimals.'],
  [-1121]: ['unknown_symbol', 'Binance has no such symbol.'],
  [-2014]: ['unauthorized', 'Binance does not accept the key.'],
  [-2015]: [
    'unauthorized',
    'Binance does not accept the key, its IP address, or its rights for this request.',
  ],
};

/** Texts of its matching engine with -2010, and the failed filter with -1013. */
const MESSAGES: readonly (readonly [text: string, code: string, reason: string])[] = [
  [
    'Account has insufficient balance for requested action.',
    'insufficient_balance',
    'The balance is too small.',
  ],
  ['Order would immediately match and take.', 'post_only_cross', 'The order would fill at once.'],
  ['Market is closed.', 'market_not_open', 'The symbol currently does not trade.'],
  [
    'This symbol is not permitted for this account.',
    'not_permitted',
    'The account may not trade this symbol.',
  ],
  ['This symbol is restricted for this account.', 'not_permitted', 'The account may not trade this symbol.'],
  ['This account may not place or cancel orders.', 'not_permitted', 'The account may not trade.'],
  ['This action is disabled on this account.', 'not_permitted', 'The account may not trade.'],
  ['Filter failure: PRICE_FILTER', 'off_tick', 'The price is not a multiple of the tick size.'],
  ['Filter failure: LOT_SIZE', 'off_step', 'The amount is not a multiple of the step, or out of bounds.'],
  ['Filter failure: NOTIONAL', 'too_small', 'The order is worth too little or too much.'],
  ['Filter failure: MIN_NOTIONAL', 'too_small', 'The order is worth too little.'],
  ['Filter failure: PERCENT_PRICE_BY_SIDE', 'price_out_of_band', 'The price is too far from the market.'],
  ['Filter failure: PERCENT_PRICE', 'price_out_of_band', 'The price is too far from the market.'],
  ['Filter failure: MAX_NUM_ORDERS', 'too_many_open', 'Too many orders of the symbol are open.'],
  ['Filter failure: EXCHANGE_MAX_NUM_ORDERS', 'too_many_open', 'Too many orders are open.'],
  ['Filter failure: MAX_POSITION', 'position_limit', 'The position would be larger than Binance allows.'],
];

/** Decided by the status alone, whatever the body: rate limits, the firewall, places that Binance does not serve. */
const BY_STATUS: Readonly<Record<number, readonly [code: string, reason: string]>> = {
  403: ['blocked', 'The firewall of Binance blocked the request.'],
  418: ['rate_limited', 'Binance has banned this IP address for a while.'],
  429: ['rate_limited', 'The rate limit of Binance is reached.'],
  451: ['restricted_location', 'Binance does not serve this location.'],
};

/**
 * The outcome of a request for an order. Throws a VenueError if it is uncertain: 5xx, a lost or timed out answer, and any other
 * shape.
 */
export function placedOf(
  answer: Answer,
  { params, asked: requestedAmount }: OrderRequest,
): PlaceResult & { trades?: readonly Trade[] } {
  const { status, body } = answer;
  if (status === 200) {
    const order = parseBody(answer, WirePlaced, 'a new order');
    if (!isOf(order, params)) throw unreadable('a new order');
    const { state, refused } = stateOf(order, requestedAmount);
    return refused ?? { kind: 'taken', order: { ...state, fills: [] }, trades: tradesOf(order) };
  }
  const byStatus = BY_STATUS[status];
  if (byStatus !== undefined) return { kind: 'refused', code: byStatus[0], reason: byStatus[1] };
  const failure = WireFailure.safeParse(body);
  if (
    status < 400 ||
    status >= 500 ||
    status === 409 ||
    !failure.success ||
    UNDECIDED.has(failure.data.code)
  ) {
    throw refusalError(answer, 'the outcome of an order');
  }
  return refusalOf(failure.data);
}

function refusalOf({ code, msg }: z.infer<typeof WireFailure>): PlaceResult {
  if (code === -2010 && /^Duplicate order sent/i.test(msg)) return { kind: 'exists' };
  const known = MESSAGES.find(([text]) => msg === text);
  if ((code === -2010 || code === -1013) && known !== undefined) {
    return { kind: 'refused', code: known[1], reason: known[2] };
  }
  const [name, reason] = REFUSALS[code] ?? ['venue_refused', `Binance refused the order (${code}).`];
  return { kind: 'refused', code: name, reason };
}

type Terms = Pick<WireOrder, 'symbol' | 'clientOrderId' | 'side' | 'origQty'>;

/** Whether an answer concerns the requested order. */
const isOf = (order: Terms, params: OrderRequest['params']): boolean =>
  order.clientOrderId === params.newClientOrderId && hasTerms(order, params);

const hasTerms = ({ symbol, side, origQty }: Terms, params: OrderRequest['params']): boolean =>
  symbol === params.symbol &&
  side === (params.side === 'BUY' ? 'buy' : 'sell') &&
  new Decimal(origQty).eq(params.quantity);

/** Whether a listed order is the requested one, or may be it with a garbled name. */
export const isPossibleMatch = (order: WireOrder, { params }: OrderRequest): boolean =>
  order.clientOrderId === params.newClientOrderId ||
  (order.clientOrderId === null && hasTerms(order, params) && new Decimal(order.price).eq(params.price));

const tradesOf = ({ symbol, orderId, transactTime, fills }: WirePlaced): Trade[] =>
  fills.map(({ tradeId, ...fill }) => ({
    ...fill,
    id: tradeId,
    symbol,
    orderId,
    time: transactTime,
    // Fills in the answer to a new order took resting orders.
    isMaker: false,
  }));

type ReportedOrder = Pick<WireOrder, 'orderId' | 'status' | 'executedQty' | 'origQty'> & {
  expiryReason?: string | undefined;
};

/**
 * The meaning of an order's status. `requestedAmount`: its amount before rounding to the venue's step; null if it is no order of
 * this service.
 */
export function stateOf(
  { orderId, status, executedQty, origQty, expiryReason }: ReportedOrder,
  requestedAmount: string | null,
): { state: OrderState; refused?: PlaceResult } {
  const filledAmount = trimmed(executedQty);
  const made = (
    own: VenueOrder['status'],
    reasonCode: string | null = null,
    reason: string | null = null,
  ) => ({
    state: { venueOrderId: orderId, status: own, filledAmount, reasonCode, reason },
  });
  if (status === 'REJECTED') {
    const [code, reason] = ['venue_refused', 'Binance refused the order.'];
    return { ...made('rejected', code, reason), refused: { kind: 'refused', code, reason } };
  }
  if (status === 'FILLED' && requestedAmount !== null && new Decimal(requestedAmount).gt(origQty)) {
    const reason = `Filled completely after ${trimmed(requestedAmount)} was rounded down to ${trimmed(origQty)}: the rest is below the venue's step.`;
    return made('canceled', 'cut_to_step', reason);
  }
  const [own, code, reason] = STATES[status];
  if (status !== 'EXPIRED') return made(own, code, reason);
  return made(own, ...(EXPIRIES[expiryReason ?? ''] ?? ([code, reason] as const)));
}

type Meaning = readonly [status: VenueOrder['status'], code: string | null, reason: string | null];
const STATES: Readonly<Record<Exclude<OrderStatus, 'REJECTED'>, Meaning>> = {
  NEW: ['open', null, null],
  PENDING_NEW: ['open', null, null],
  PARTIALLY_FILLED: ['open', null, null],
  FILLED: ['filled', null, null],
  CANCELED: ['canceled', 'at_venue', 'The order was canceled at the venue.'],
  EXPIRED: ['canceled', 'no_more_offers', 'No offers were left at its price.'],
  EXPIRED_IN_MATCH: ['canceled', 'self_trade', 'It would have traded with an order of the same account.'],
};

const EXPIRIES: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  EXCHANGE_CANCELED: ['venue_canceled', 'Binance canceled the order.'],
  REJECTED: ['venue_canceled', 'Binance canceled the order.'],
  EXECUTION_RULE_PRICE_RANGE_EXCEEDED: ['price_out_of_band', 'The price left the range that Binance allows.'],
};

/** The answer to a cancel: it does not state how the order ended. Throws a VenueError if it cannot be parsed. */
export function canceledOf(answer: Answer, request: { readonly symbol: string }): CancelResult {
  if (codeOf(answer) === -2011) return { kind: 'gone' };
  const { symbol } = parseBody(answer, WireCanceled, 'a cancel');
  if (symbol !== request.symbol) throw unreadable('a cancel');
  return { kind: 'asked' };
}

export const openOf = (order: WireOrder): OpenVenueOrder => ({
  venueOrderId: order.orderId,
  clientOrderId: order.clientOrderId,
  tokenId: order.symbol,
  side: order.side,
  amount: trimmed(order.origQty),
  limitPrice: trimmed(order.price),
  filledAmount: trimmed(order.executedQty),
  placedAt: new Date(order.time),
});

/** Trade ids are unique by symbol only. */
export const tradeIdOf = ({ symbol, id }: Pick<Trade, 'symbol' | 'id'>): string => `${symbol}:${id}`;

/** A trade as a fill of the port. `usdOf`: USD per unit of the commission's coin, at the time of the trade. */
export const fillOf = (trade: Trade, usdOf: string) => ({
  tradeId: tradeIdOf(trade),
  amount: trimmed(trade.qty),
  price: trimmed(trade.price),
  fee: trimmed(product(trade.commission, usdOf)),
  feeAsset: trade.commissionAsset,
  feeAmount: trimmed(trade.commission),
  liquidity: trade.isMaker ? ('maker' as const) : ('taker' as const),
  state: 'final' as const,
  at: new Date(trade.time),
});

/**
 * USD per unit of the commission's coin, as far as the trade alone determines it: 1 for dollars, the price for the coin bought.
 * Null for any other coin, such as BNB.
 */
export function ownRateOf({ symbol, price, commissionAsset }: Trade): string | null {
  if (isDollar(commissionAsset)) return '1';
  const isBase = symbol.startsWith(commissionAsset) && isDollar(symbol.slice(commissionAsset.length));
  return isBase ? price : null;
}

export const balancesOf = ({ free, locked }: { free: string; locked: string }): string =>
  trimmed(total(free, locked));

/**
 * What Binance's answers say. Pure, and fails closed: what cannot be read throws a VenueError, which changes nothing, and
 * only what says for certain that there is no order refuses one.
 */
import { Decimal } from 'decimal.js';
import type { z } from 'zod';
import type { Canceled, OpenAtVenue, Placed, VenueOrder } from '../../broker.ts';
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

/** A trade before its commission has a worth in USD. */
export type Trade = Omit<WireTrade, 'isBuyer' | 'isMaker'> & { readonly isMaker: boolean };

/** What the venue says of an order, its fills aside. */
export type OrderState = Omit<VenueOrder, 'fills'>;

export const unreadable = (what: string, cause?: unknown): VenueError =>
  VenueError.unreadable(`Binance sent ${what} of another shape than expected`, cause);

/** The body of a good answer. Throws a VenueError for any other answer and any other shape. */
export function read<T>({ status, body }: Answer, schema: z.ZodType<T>, what: string): T {
  if (status !== 200) throw refusalError({ status, body }, what);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw unreadable(what, result.error);
}

/** Why a read was refused: what the venue says in words is left out, its number is kept. */
export function refusalError(answer: Answer, what: string): VenueError {
  const code = codeOf(answer);
  if (code === BAD_SIGNATURE)
    return VenueError.refused(
      401,
      'Binance does not accept the signature: the secret is not that of the key',
    );
  const message = `Binance does not tell ${what}: status ${answer.status}${code === null ? '' : `, code ${code}`}`;
  // 403 is its firewall, which says nothing about the key.
  return answer.status === 403 ? VenueError.unavailable(message) : VenueError.refused(answer.status, message);
}

const BAD_SIGNATURE = -1022;

/** The number of a failure, or null where the answer is no failure of Binance's own shape. */
export function codeOf({ status, body }: Answer): number | null {
  if (status >= 200 && status < 300) return null;
  const failure = WireFailure.safeParse(body);
  return failure.success ? failure.data.code : null;
}

/** Numbers that do not say whether there is an order: unknown, disconnected, lost, timeout, busy, shutting down. */
const UNDECIDED: ReadonlySet<number> = new Set([-1000, -1001, -1006, -1007, -1008, -1016]);

const REFUSALS: Readonly<Record<number, readonly [code: string, reason: string]>> = {
  [-1002]: ['unauthorized', 'Binance does not accept the key.'],
  [-1003]: ['rate_limited', 'Binance asks for fewer requests.'],
  [-1013]: ['filter_failure', 'The order breaks a rule of the symbol.'],
  [-1015]: ['rate_limited', 'Binance asks for fewer orders.'],
  [-1021]: ['arrived_late', 'It arrived outside of the time it was signed for.'],
  [BAD_SIGNATURE]: ['bad_signature', 'Binance does not accept the signature.'],
  [-1111]: ['off_tick', 'The price or the amount has too many decimals.'],
  [-1121]: ['unknown_symbol', 'Binance has no such symbol.'],
  [-2014]: ['unauthorized', 'Binance does not accept the key.'],
  [-2015]: [
    'unauthorized',
    'Binance does not accept the key, the address it is used from, or what it is used for.',
  ],
};

/** What its matching engine says with -2010, and which filter fails with -1013. */
const MESSAGES: readonly (readonly [text: string, code: string, reason: string])[] = [
  [
    'Account has insufficient balance for requested action.',
    'insufficient_balance',
    'There is not enough money.',
  ],
  ['Market is closed.', 'market_not_open', 'The symbol is not traded now.'],
  [
    'This symbol is not permitted for this account.',
    'not_permitted',
    'The account may not trade this symbol.',
  ],
  ['This symbol is restricted for this account.', 'not_permitted', 'The account may not trade this symbol.'],
  ['This account may not place or cancel orders.', 'not_permitted', 'The account may not trade.'],
  ['This action is disabled on this account.', 'not_permitted', 'The account may not trade.'],
  ['Filter failure: PRICE_FILTER', 'off_tick', 'The price is off the tick.'],
  ['Filter failure: LOT_SIZE', 'off_step', 'The amount is off the step or out of bounds.'],
  ['Filter failure: NOTIONAL', 'too_small', 'It is worth too little or too much.'],
  ['Filter failure: MIN_NOTIONAL', 'too_small', 'It is worth too little.'],
  ['Filter failure: PERCENT_PRICE_BY_SIDE', 'price_out_of_band', 'The price is too far from the market.'],
  ['Filter failure: PERCENT_PRICE', 'price_out_of_band', 'The price is too far from the market.'],
  ['Filter failure: MAX_NUM_ORDERS', 'too_many_open', 'Too many orders of the symbol are open.'],
  ['Filter failure: EXCHANGE_MAX_NUM_ORDERS', 'too_many_open', 'Too many orders are open.'],
  ['Filter failure: MAX_POSITION', 'position_limit', 'The position would be larger than Binance allows.'],
];

/** By the status alone, whatever the body: rate limits, the firewall, places Binance does not serve. */
const BY_STATUS: Readonly<Record<number, readonly [code: string, reason: string]>> = {
  403: ['blocked', 'Binance blocked the request before it read it.'],
  418: ['rate_limited', 'Binance lets nothing in from this address for a while.'],
  429: ['rate_limited', 'Binance asks for fewer requests.'],
  451: ['restricted_location', 'Binance does not serve this location.'],
};

/**
 * What became of a request for an order. Throws a VenueError where that is not certain: 5xx, a lost or timed out answer,
 * and anything of another shape.
 */
export function placedOf(
  answer: Answer,
  { params, asked }: OrderRequest,
): Placed & { trades?: readonly Trade[] } {
  const { status, body } = answer;
  if (status === 200) {
    const order = read(answer, WirePlaced, 'a new order');
    if (!isOf(order, params)) throw unreadable('a new order');
    const { state, refused } = stateOf(order, asked);
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
    throw refusalError(answer, 'what became of an order');
  }
  return refusalOf(failure.data);
}

function refusalOf({ code, msg }: z.infer<typeof WireFailure>): Placed {
  if (code === -2010 && /^Duplicate order sent/i.test(msg)) return { kind: 'exists' };
  const known = MESSAGES.find(([text]) => msg === text);
  if ((code === -2010 || code === -1013) && known !== undefined) {
    return { kind: 'refused', code: known[1], reason: known[2] };
  }
  const [name, reason] = REFUSALS[code] ?? ['venue_refused', `Binance refuses it (${code}).`];
  return { kind: 'refused', code: name, reason };
}

type Terms = Pick<WireOrder, 'symbol' | 'clientOrderId' | 'side' | 'origQty'>;

/** Whether an answer is about what was asked for. */
const isOf = (order: Terms, params: OrderRequest['params']): boolean =>
  order.clientOrderId === params.newClientOrderId && hasTerms(order, params);

const hasTerms = ({ symbol, side, origQty }: Terms, params: OrderRequest['params']): boolean =>
  symbol === params.symbol &&
  side === (params.side === 'BUY' ? 'buy' : 'sell') &&
  new Decimal(origQty).eq(params.quantity);

/** Whether a listed order is the one asked for, or may be it under a name that was lost on the way. */
export const mayBe = (order: WireOrder, { params }: OrderRequest): boolean =>
  order.clientOrderId === params.newClientOrderId ||
  (order.clientOrderId === null && hasTerms(order, params) && new Decimal(order.price).eq(params.price));

const tradesOf = ({ symbol, orderId, transactTime, fills }: WirePlaced): Trade[] =>
  fills.map(({ tradeId, ...fill }) => ({
    ...fill,
    id: tradeId,
    symbol,
    orderId,
    time: transactTime,
    // What is filled by the answer to a new order took what rested.
    isMaker: false,
  }));

type Told = Pick<WireOrder, 'orderId' | 'status' | 'executedQty' | 'origQty'> & {
  expiryReason?: string | undefined;
};

/** What an order's status means. `asked`: its amount before the venue's step cut it; null where it is nobody's here. */
export function stateOf(
  { orderId, status, executedQty, origQty, expiryReason }: Told,
  asked: string | null,
): { state: OrderState; refused?: Placed } {
  const filledAmount = trimmed(executedQty);
  const made = (
    own: VenueOrder['status'],
    reasonCode: string | null = null,
    reason: string | null = null,
  ) => ({
    state: { venueOrderId: orderId, status: own, filledAmount, reasonCode, reason },
  });
  if (status === 'REJECTED') {
    const [code, reason] = ['venue_refused', 'Binance refused it.'];
    return { ...made('rejected', code, reason), refused: { kind: 'refused', code, reason } };
  }
  if (status === 'FILLED' && asked !== null && new Decimal(asked).gt(origQty)) {
    const reason = `Filled whole, once ${trimmed(asked)} was cut to ${trimmed(origQty)}: the rest is below the venue's step.`;
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
  CANCELED: ['canceled', 'at_venue', 'It was canceled at the venue.'],
  EXPIRED: ['canceled', 'no_more_offers', 'Nobody offered more at its price.'],
  EXPIRED_IN_MATCH: ['canceled', 'self_trade', 'It would have traded with an order of the same account.'],
};

const EXPIRIES: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  EXCHANGE_CANCELED: ['venue_canceled', 'Binance canceled it.'],
  REJECTED: ['venue_canceled', 'Binance canceled it.'],
  EXECUTION_RULE_PRICE_RANGE_EXCEEDED: ['price_out_of_band', 'The price left the range that Binance allows.'],
};

/** What a request to cancel says: nothing of how the order ended. Throws a VenueError where it says nothing at all. */
export function canceledOf(answer: Answer, asked: { readonly symbol: string }): Canceled {
  if (codeOf(answer) === -2011) return { kind: 'gone' };
  const { symbol } = read(answer, WireCanceled, 'a cancel');
  if (symbol !== asked.symbol) throw unreadable('a cancel');
  return { kind: 'asked' };
}

export const openOf = (order: WireOrder): OpenAtVenue => ({
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

/** A trade as the port tells it. `usdOf`: USD per unit of the coin the commission was taken in, at the time of the trade. */
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
 * USD per unit of what the commission was taken in, as far as the trade itself says: 1 for dollars, the price for the coin
 * bought; null for any other coin, such as BNB.
 */
export function ownRateOf({ symbol, price, commissionAsset }: Trade): string | null {
  if (isDollar(commissionAsset)) return '1';
  const isBase = symbol.startsWith(commissionAsset) && isDollar(symbol.slice(commissionAsset.length));
  return isBase ? price : null;
}

export const heldOf = ({ free, locked }: { free: string; locked: string }): string =>
  trimmed(total(free, locked));

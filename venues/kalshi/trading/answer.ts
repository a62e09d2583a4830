/**
 * Parses Kalshi's answers. Pure, and fails closed: an answer that cannot be parsed throws a VenueError, which changes nothing.
 * Only an answer that proves that there is no order refuses one.
 */

import { Decimal } from 'decimal.js';
import type { z } from 'zod';
import type {
  AccountFill,
  CancelResult,
  OpenVenueOrder,
  OrderRef,
  PlaceResult,
  VenueBalance,
  VenueEvent,
  VenueFill,
  VenueOrder,
  VenuePosition,
} from '../../broker.ts';
import { VenueError } from '../../errors.ts';
import type { OnceAnswer } from '../../http/send-once.ts';
import { difference, isZero, trimmed } from '../../parse/decimal.ts';
import { jsonOf } from '../../parse/json.ts';
import type { Side } from '../normalize.ts';
import { cancelReason, immediateEndReason, NO_REASON, REASON_CODE } from './reasons.ts';
import { bookSideOf, CreateRequest, mirroredPrice, parseTokenId } from './request.ts';
import {
  Failure,
  FillMessage,
  Frame,
  type NamedOrder,
  OrderMessage,
  type WireBalance,
  WireCanceled,
  WireCreated,
  type WireFill,
  WireOrder,
  type WirePosition,
} from './wire.ts';

export type Answer = Pick<OnceAnswer, 'status' | 'body'>;

const unreadable = (what: string, cause?: unknown): VenueError =>
  VenueError.unreadable(`venue A sent ${what} of unexpected shape`, cause);

function parsed<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unreadable(what, result.error);
}

/** The body of a good answer to a read. */
export function parseBody<T>({ status, body }: Answer, schema: z.ZodType<T>, what: string): T {
  if (status === 200 || status === 201) return parsed(schema, body, what);
  const code = codeOf(body);
  const about = code === LATE ? 400 : status;
  throw VenueError.refused(about, `venue A did not return ${what}: status ${status}${named(code)}`);
}
/** The code for a refused timestamp; the key is accepted. */
const LATE = 'header_timestamp_expired';
const named = (code: string | null): string => (code === null || code === '' ? '' : ` (${code})`);

/** The code of a failure, "" if it has none; null if the body is no failure of any known shape. */
export function codeOf(body: unknown): string | null {
  const failure = Failure.safeParse(body);
  if (!failure.success) return null;
  const code = failure.data.toLowerCase();
  return REASON_CODE.test(code) ? code : '';
}

const KILLED = 'fill_or_kill_insufficient_resting_volume';

/** Statuses that refuse alone, whatever the body. */
const BY_STATUS: Readonly<Record<number, readonly [code: string, reason: string]>> = {
  401: ['unauthorized', 'Venue A does not accept the key or its signature.'],
  403: ['forbidden', 'The key may not do this at venue A.'],
  429: ['rate_limited', 'The rate limit of venue A is reached.'],
};

const REASONS: Readonly<Record<string, string>> = {
  insufficient_balance: 'The balance on the shard of the market is too small.',
  available_balance_too_low: 'The balance on the shard of the market is too small.',
  invalid_price: 'The price is not on the price ladder of the market.',
  invalid_order: 'Venue A reports that the order is invalid.',
  post_only_cross: 'The order would fill at once.',
  invalid_order_size: 'Venue A does not accept the amount.',
  market_closed: 'The market is closed.',
  market_inactive: 'The market does not trade.',
  trading_is_paused: 'Trading at venue A is paused.',
  exchange_is_paused: 'Venue A is paused.',
  [KILLED]: 'The offers do not suffice for the whole order.',
};

/** Statuses that prove that there is no order, if the body says so in a known shape. */
const REFUSING: ReadonlySet<number> = new Set([400, 404, 410]);

/** The outcome of a create. Throws if the answer leaves it open. */
export function placedOf({ status, body }: Answer, request: CreateRequest): PlaceResult {
  if (status === 200 || status === 201) return { kind: 'taken', order: createdOf(body, request) };
  const code = codeOf(body);
  if (status === 409 && code === 'order_already_exists') return { kind: 'exists' };
  const refusal = refusalOf(status, code);
  if (refusal !== null) return refusal;
  throw VenueError.unavailable(`venue A neither confirmed nor refused the order: status ${status}`);
}

function refusalOf(status: number, code: string | null): PlaceResult | null {
  if (status === 401 && code === LATE) {
    return {
      kind: 'refused',
      code: 'arrived_late',
      reason: 'The request arrived outside the time window of its signature.',
    };
  }
  const general = BY_STATUS[status];
  if (general !== undefined) return { kind: 'refused', code: general[0], reason: general[1] };
  const isKilled = status === 409 && code === KILLED;
  if (code === null || !(REFUSING.has(status) || isKilled)) return null;
  const known = code === '' ? 'refused' : code;
  return { kind: 'refused', code: known, reason: REASONS[known] ?? 'Venue A refuses the order.' };
}

/** The answer to a create states no status and no fills: an amount that neither rests nor is filled has ended. */
function createdOf(body: unknown, request: CreateRequest): VenueOrder {
  const created = parsed(WireCreated, body, 'an order');
  if (![undefined, '', request.client_order_id].includes(created.client_order_id))
    throw VenueError.mismatched('venue A', 'an order');
  const filled = new Decimal(created.fill_count);
  if (filled.plus(created.remaining_count).greaterThan(request.count)) throw unreadable('an order');
  const isOver = new Decimal(created.remaining_count).isZero();
  const status = filled.equals(request.count) ? 'filled' : isOver ? 'canceled' : 'open';
  return {
    venueOrderId: created.order_id,
    status,
    filledAmount: filled.toFixed(),
    fills: [],
    ...(status === 'canceled' ? immediateEndReason(request) : NO_REASON),
  };
}

/** The outcome of a cancel. An answer about another order does not count. */
export function canceledOf({ status, body }: Answer, venueOrderId: string): CancelResult {
  if (status === 200) {
    if (parsed(WireCanceled, body, 'a cancel').order_id !== venueOrderId)
      throw VenueError.mismatched('venue A', 'a cancel');
    return { kind: 'asked' };
  }
  const code = codeOf(body);
  if (status === 404 && code !== null) return { kind: 'gone' };
  // The market has closed: the venue ends its orders itself.
  if (status === 400 && code === 'market_inactive') return { kind: 'gone' };
  throw VenueError.unavailable(`venue A did not confirm the cancel: status ${status}${named(code)}`);
}

/** The wanted order, as far as it is known: to check that an answer concerns it. */
export type WantedOrder = Pick<OrderRef, 'id' | 'tokenId' | 'prepared'>;

/** The stored request of the order; null if none was stored, or it cannot be parsed. */
const requestOf = ({ prepared }: WantedOrder): CreateRequest | null =>
  CreateRequest.safeParse(prepared?.request).data ?? null;

/** The one record of this client order id, null if there is none. Two orders with one id are impossible. */
export function recordWithId(records: readonly NamedOrder[], id: string): NamedOrder | null {
  const own = records.filter((record) => record.client_order_id === id);
  if (new Set(own.map((record) => record.order_id)).size > 1) throw unreadable('two orders of one id');
  return own.at(-1) ?? null;
}

/** Our ids are UUIDs; an order placed by hand may have any id, or none. */
const OUR_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether one of these may be the wanted order with a garbled id. Such a record has the order's terms, or cannot be parsed, and
 * its id is none of ours. While one exists, the order's absence is unproven.
 */
export function hasPossibleMatch(records: readonly NamedOrder[], wanted: WantedOrder): boolean {
  const request = requestOf(wanted);
  return records.some((record) => {
    if (OUR_ID.test(record.client_order_id)) return false;
    const order = WireOrder.safeParse(record);
    if (!order.success || request === null) return true;
    const { ticker, book_side, yes_price_dollars, initial_count_fp } = order.data;
    const hasTerms = ticker === request.ticker && book_side === request.side;
    return hasTerms && isSame(request.price, yes_price_dollars) && isSame(request.count, initial_count_fp);
  });
}

/** An order as the venue shows it, with its visible fills. Throws if it is not the wanted one. */
export function orderOf(record: unknown, fills: readonly WireFill[], wanted: WantedOrder): VenueOrder {
  const order = parsed(WireOrder, record, 'an order');
  const { ticker, outcome } = parseTokenId(wanted.tokenId);
  const request = requestOf(wanted);
  const isOther =
    order.client_order_id !== wanted.id ||
    order.ticker !== ticker ||
    (request !== null &&
      (request.side !== order.book_side || !isSame(request.price, order.yes_price_dollars)));
  if (isOther) throw VenueError.mismatched('venue A', 'an order');
  const amount = request?.count ?? order.initial_count_fp;
  return {
    venueOrderId: order.order_id,
    ...stateOf(order, amount),
    fills: fills
      .filter((fill) => fill.order_id === order.order_id && fill.ticker === ticker)
      .map((fill) => fillOf(fill, outcome)),
  };
}

const isSame = (a: string, b: string): boolean => new Decimal(a).equals(b);

type Counted = {
  readonly status: WireOrder['status'];
  readonly fill_count_fp: string;
  readonly remaining_count_fp: string;
  readonly last_update_reason?: string | null | undefined;
  readonly expiration_time?: Date | null;
  readonly last_update_time?: Date | null;
};

/** The venue also reports `executed` for an order whose amount it reduced: only the full amount is `filled`. */
function stateOf(order: Counted, amount: string): Omit<VenueOrder, 'venueOrderId' | 'fills'> {
  const filled = new Decimal(order.fill_count_fp);
  if (filled.plus(order.remaining_count_fp).greaterThan(amount)) throw unreadable('an order');
  const isFull = filled.equals(amount);
  const isContradiction = order.status === 'resting' ? isFull : !isZero(order.remaining_count_fp);
  if (isContradiction) throw unreadable('an order');
  const status = isFull ? 'filled' : order.status === 'resting' ? 'open' : endOf(order);
  const why = status === 'canceled' ? cancelReason(order.last_update_reason) : NO_REASON;
  return { status, filledAmount: filled.toFixed(), ...why };
}

function endOf({
  expiration_time: due = null,
  last_update_time: at = null,
}: Counted): 'canceled' | 'expired' {
  return due !== null && at !== null && at >= due ? 'expired' : 'canceled';
}

/** A fill in the terms of its side. Fees are dollars here, complete and final as reported. */
function fillOf(fill: WireFill, outcome: Side): VenueFill {
  return {
    tradeId: fill.fill_id,
    amount: trimmed(fill.count_fp),
    price: trimmed(outcome === 'yes' ? fill.yes_price_dollars : fill.no_price_dollars),
    ...costOf(fill),
    at: fill.created_time,
  };
}

const costOf = ({ fee_cost: cost, is_taker: isTaker }: Pick<WireFill, 'fee_cost' | 'is_taker'>) => ({
  fee: trimmed(cost),
  feeAsset: 'USD',
  feeAmount: trimmed(cost),
  liquidity: isTaker ? ('taker' as const) : ('maker' as const),
  state: 'final' as const,
});

/**
 * The venue's book is that of yes. A bid may be a purchase of yes or a sale of no. So fills listed without their order are
 * reported as of yes.
 */
const asYes = (ticker: string, bookSide: 'bid' | 'ask') => ({
  tokenId: `${ticker}:yes`,
  side: bookSide === 'bid' ? ('buy' as const) : ('sell' as const),
});

export const accountFillOf = (fill: WireFill): AccountFill => ({
  ...fillOf(fill, 'yes'),
  ...asYes(fill.ticker, fill.book_side),
  venueOrderId: fill.order_id,
  clientOrderId: null,
});

export const openOf = (order: WireOrder): OpenVenueOrder => ({
  venueOrderId: order.order_id,
  clientOrderId: order.client_order_id || null,
  ...asYes(order.ticker, order.book_side),
  amount: trimmed(order.initial_count_fp),
  limitPrice: trimmed(order.yes_price_dollars),
  filledAmount: trimmed(order.fill_count_fp),
  placedAt: order.created_time,
});

/** No contracts are negative at the venue. */
export function positionOf({ ticker, position_fp: position }: WirePosition): VenuePosition[] {
  const signed = new Decimal(position);
  if (signed.isZero()) return [];
  return [{ tokenId: `${ticker}:${signed.isPositive() ? 'yes' : 'no'}`, amount: signed.abs().toFixed() }];
}

/**
 * Dollars by shard. Resting orders that open positions reserve their possible cost, which the venue's balance still includes.
 */
export function balancesOf(
  { balance_breakdown: shards }: WireBalance,
  resting: readonly WireOrder[],
  positions: readonly WirePosition[],
): VenueBalance[] {
  return shards.map(({ exchange_index: shard, balance }) => {
    const held = resting
      .filter(({ exchange_index: index = 0 }) => index === shard)
      .reduce((sum, order) => sum.plus(heldBy(order, positions)), new Decimal(0));
    return {
      currency: 'USD',
      total: trimmed(balance),
      available: difference(balance, held.toFixed()),
      shard: `${shard}`,
    };
  });
}

function heldBy(order: WireOrder, positions: readonly WirePosition[]): Decimal {
  const held = new Decimal(positions.find(({ ticker }) => ticker === order.ticker)?.position_fp ?? 0);
  const against = Decimal.max(0, order.book_side === 'bid' ? held.negated() : held);
  const opening = Decimal.max(0, new Decimal(order.remaining_count_fp).minus(against));
  return opening.times(order.book_side === 'bid' ? order.yes_price_dollars : order.no_price_dollars);
}

/** The rights that scopes grant, in the port's words. */
export function permissionsOf(scopes: readonly string[]): string[] {
  const has = (scope: string) => scopes.includes(scope) || scopes.includes(scope.split('::')[0] ?? '');
  const permissions = [
    ['read', scopes.includes('read')],
    ['trade', has('write::trade')],
    ['transfer', has('write::transfer')],
  ] as const;
  return permissions.filter(([, isGranted]) => isGranted).map(([name]) => name);
}

/** The event in a frame of the user stream; null for a frame that only keeps the stream alive. */
export function parseFrame(text: string): VenueEvent | null {
  const frame = Frame.safeParse(jsonOf(text));
  if (!frame.success) return { kind: 'unreadable', about: 'a frame' };
  const { type, msg } = frame.data;
  if (type === 'user_order') return orderEvent(msg);
  if (type === 'fill') return fillEvent(msg);
  const isKnown = ['subscribed', 'unsubscribed', 'ok', 'market_position'].includes(type);
  return isKnown ? null : { kind: 'unreadable', about: 'a frame of an unknown type' };
}

function orderEvent(msg: unknown): VenueEvent {
  const message = OrderMessage.safeParse(msg);
  if (!message.success) return { kind: 'unreadable', about: 'an order' };
  const { order_id, client_order_id, ticker, book_side, initial_count_fp } = message.data;
  try {
    const state = stateOf(message.data, initial_count_fp);
    return {
      kind: 'order',
      clientOrderId: client_order_id || null,
      tokenId: asYes(ticker, book_side).tokenId,
      order: { venueOrderId: order_id, ...state, fills: [] },
    };
  } catch {
    return { kind: 'unreadable', about: 'an order' };
  }
}

function fillEvent(msg: unknown): VenueEvent {
  const message = FillMessage.safeParse(msg);
  if (!message.success) return { kind: 'unreadable', about: 'a fill' };
  const { trade_id, order_id, client_order_id, market_ticker, book_side, ...fill } = message.data;
  return {
    kind: 'fill',
    fill: {
      tradeId: trade_id,
      amount: trimmed(fill.count_fp),
      price: trimmed(fill.yes_price_dollars),
      ...costOf(fill),
      at: fill.ts_ms,
      ...asYes(market_ticker, book_side),
      venueOrderId: order_id,
      clientOrderId: client_order_id || null,
    },
  };
}

/** A fill reported as of yes, in the terms of its order. Throws if it cannot belong to that order. */
export function inTermsOf(
  { tokenId, side }: { tokenId: string; side: 'buy' | 'sell' },
  fill: AccountFill,
): AccountFill {
  const { ticker, outcome } = parseTokenId(tokenId);
  const parts = parseTokenId(fill.tokenId);
  if (parts.ticker !== ticker || bookSideOf(parts.outcome, fill.side) !== bookSideOf(outcome, side))
    throw VenueError.mismatched('venue A', 'a fill');
  const yesPrice = mirroredPrice(parts.outcome, fill.price);
  return { ...fill, tokenId, side, price: mirroredPrice(outcome, yesPrice) };
}

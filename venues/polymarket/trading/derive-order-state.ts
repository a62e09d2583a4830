/**
 * Derives the fate of an order of venue B from the venue's records. Pure. The venue lists orders only while they rest, so an
 * order missing from its lists has ended. Its trades show how; they may arrive later than its end.
 */
import { Decimal } from 'decimal.js';
import type { AccountFill, VenueFill, VenueOrder } from '../../broker.ts';
import { VenueError } from '../../errors.ts';
import { trimmed } from '../../parse/decimal.ts';
import { SECOND_MS } from '../../time.ts';
import { DUST_SHARES } from './answer.ts';
import { EXPIRY_LEAD_MS, isTaking, type PolymarketRequest } from './order.ts';
import type { WireOrder } from './records.ts';

export type OrderObservations = {
  readonly orderId: string;
  readonly request: PolymarketRequest;
  /** The order in the venue's lists; null if they do not contain it. */
  readonly listed: WireOrder | null;
  readonly fills: readonly VenueFill[];
  /** The matched amount when the venue last listed the order: its trades may arrive later. */
  readonly lastMatched: string;
  /** The venue has reported before that it has this order. */
  readonly isAcknowledged: boolean;
  /** The venue has reported that it took the order from the book. */
  readonly isCancelConfirmed: boolean;
  /** No data about the order has changed for so long that nothing is in transit. */
  readonly isSettled: boolean;
  /** Since the order was last seen, the venue may have missed the heartbeats, and ended every order. */
  readonly isSilenced: boolean;
  readonly now: Date;
};

const UNITS = 1_000_000;

/** The fills of one order among those of an account. Throws if one has another token or side: then a record is damaged. */
export function ownFills(
  fills: readonly AccountFill[],
  orderId: string,
  { order }: PolymarketRequest,
): readonly AccountFill[] {
  const own = fills.filter(({ venueOrderId }) => venueOrderId === orderId);
  const isOf = ({ tokenId, side }: AccountFill) =>
    tokenId === order.tokenId && side === (order.side === 'BUY' ? 'buy' : 'sell');
  if (own.every(isOf)) return own;
  throw VenueError.mismatched('venue B', orderId);
}

/** The order as far as it is known; null if there is no trace of it. Throws for an unknown status. */
export function deriveOrderState(evidence: OrderObservations): VenueOrder | null {
  const { listed, fills, isAcknowledged, isCancelConfirmed, isSettled } = evidence;
  const booked = filledAmountOf(fills);
  const { tokenId } = evidence.request.order;
  if (listed !== null && (listed.id !== evidence.orderId || listed.asset_id !== tokenId)) {
    throw VenueError.mismatched('venue B', evidence.orderId);
  }
  if (listed !== null) return listedOrder(evidence, listed, booked);
  const filled = booked.plus(unreportedAmount(evidence));
  if (isFilledCompletely(evidence.request, filled)) return orderOf(evidence, 'filled', filled);
  if (filled.isZero() && fills.length === 0 && !isAcknowledged && !isCancelConfirmed) return null;
  return isCancelConfirmed || isSettled ? endedOrder(evidence, filled) : orderOf(evidence, 'open', filled);
}

/** The matched amount that no trade contains yet, failed trades included. */
function unreportedAmount({ lastMatched, fills }: Pick<OrderObservations, 'lastMatched' | 'fills'>): Decimal {
  const missing = fills.reduce((left, { amount }) => left.minus(amount), new Decimal(lastMatched));
  return missing.lessThan(DUST_SHARES) ? new Decimal(0) : missing;
}

/** Whether the order was matched completely, and is less than filled only because the venue reversed trades of it. */
function isReversed({ request, fills }: OrderObservations, filled: Decimal): boolean {
  const failed = fills.filter(({ state }) => state === 'failed');
  return (
    failed.length > 0 &&
    isFilledCompletely(
      request,
      failed.reduce((sum, { amount }) => sum.plus(amount), filled),
    )
  );
}

function listedOrder(
  evidence: OrderObservations,
  { status, size_matched: matched }: WireOrder,
  booked: Decimal,
): VenueOrder {
  const filled = booked.plus(unreportedAmount({ lastMatched: matched, fills: evidence.fills }));
  if (status === 'LIVE' || status === 'DELAYED') return orderOf(evidence, 'open', filled);
  if (status === 'MATCHED') {
    if (isFilledCompletely(evidence.request, filled)) return orderOf(evidence, 'filled', filled);
    const isOver = isTaking(evidence.request) || isReversed(evidence, filled);
    return isOver ? endedOrder(evidence, filled) : orderOf(evidence, 'open', filled);
  }
  if (status === 'INVALID') {
    const hasBeen = evidence.isAcknowledged || !filled.isZero();
    return { ...orderOf(evidence, hasBeen ? 'canceled' : 'rejected', filled), ...reasonOf('invalid') };
  }
  if (!/^CANCELL?ED/.test(status)) throw VenueError.unavailable('venue B sent an unknown status of an order');
  const order = endedOrder(evidence, filled);
  return status.endsWith('MARKET_RESOLVED') ? { ...order, ...reasonOf('market_resolved') } : order;
}

/** The order has ended: by its expiry, its kind or a cancel, or because nothing is left to match. */
function endedOrder(evidence: OrderObservations, filled: Decimal): VenueOrder {
  const { request, isCancelConfirmed, isSilenced, now } = evidence;
  if (isReversed(evidence, filled))
    return { ...orderOf(evidence, 'canceled', filled), ...reasonOf('trade_failed') };
  if (isTaking(request)) return { ...orderOf(evidence, 'canceled', filled), ...reasonOf('time_in_force') };
  if (isCancelConfirmed) return { ...orderOf(evidence, 'canceled', filled), ...reasonOf('requested') };
  if (
    request.orderType === 'GTD' &&
    now.getTime() >= Number(request.expiration) * SECOND_MS - EXPIRY_LEAD_MS
  ) {
    return { ...orderOf(evidence, 'expired', filled), ...reasonOf('expired') };
  }
  return { ...orderOf(evidence, 'canceled', filled), ...reasonOf(isSilenced ? 'dead_man' : 'at_venue') };
}

/** A buy may get more shares than requested, and fewer by rounding. */
export function isFilledCompletely({ order }: PolymarketRequest, filled: Decimal): boolean {
  const wanted = new Decimal(order.side === 'BUY' ? order.takerAmount : order.makerAmount).dividedBy(UNITS);
  return wanted.minus(filled).lessThan(DUST_SHARES);
}

export const filledAmountOf = (fills: readonly VenueFill[]): Decimal =>
  fills
    .filter(({ state }) => state !== 'failed')
    .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));

const orderOf = (
  { orderId, fills }: OrderObservations,
  status: VenueOrder['status'],
  filled: Decimal,
): VenueOrder => ({
  venueOrderId: orderId,
  status,
  filledAmount: trimmed(filled.toFixed()),
  fills,
  reasonCode: null,
  reason: null,
});

const REASONS = {
  invalid: 'the venue declared the order invalid',
  market_resolved: 'the market is resolved',
  trade_failed: 'the venue reversed a trade of the order',
  time_in_force: 'the part that could not be filled at once was canceled',
  requested: 'as asked',
  expired: 'the order expired',
  at_venue: 'ended at the venue',
  dead_man: 'the venue received no heartbeat and canceled every order',
} as const;

const reasonOf = (code: keyof typeof REASONS): Pick<VenueOrder, 'reasonCode' | 'reason'> => ({
  reasonCode: code,
  reason: REASONS[code],
});

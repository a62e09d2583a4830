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
import { EXPIRY_LEAD_MS, type PolymarketRequest } from './order.ts';
import type { WireOrder } from './records.ts';

export type Sight = {
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
export function judge(sight: Sight): VenueOrder | null {
  const { listed, fills, isAcknowledged, isCancelConfirmed, isSettled } = sight;
  const booked = bookedOf(fills);
  const { tokenId } = sight.request.order;
  if (listed !== null && (listed.id !== sight.orderId || listed.asset_id !== tokenId)) {
    throw VenueError.mismatched('venue B', sight.orderId);
  }
  if (listed !== null) return listedOrder(sight, listed, booked);
  const filled = booked.plus(untold(sight));
  if (isWhole(sight.request, filled)) return orderOf(sight, 'filled', filled);
  if (filled.isZero() && fills.length === 0 && !isAcknowledged && !isCancelConfirmed) return null;
  return isCancelConfirmed || isSettled ? ended(sight, filled) : orderOf(sight, 'open', filled);
}

/** The matched amount that no trade contains yet, failed trades included. */
function untold({ lastMatched, fills }: Pick<Sight, 'lastMatched' | 'fills'>): Decimal {
  const missing = fills.reduce((left, { amount }) => left.minus(amount), new Decimal(lastMatched));
  return missing.lessThan(DUST_SHARES) ? new Decimal(0) : missing;
}

/** Whether the order was matched completely, and is less than filled only because the venue reversed trades of it. */
function isTakenBack({ request, fills }: Sight, filled: Decimal): boolean {
  const failed = fills.filter(({ state }) => state === 'failed');
  return (
    failed.length > 0 &&
    isWhole(
      request,
      failed.reduce((sum, { amount }) => sum.plus(amount), filled),
    )
  );
}

function listedOrder(
  sight: Sight,
  { status, size_matched: matched }: WireOrder,
  booked: Decimal,
): VenueOrder {
  const filled = booked.plus(untold({ lastMatched: matched, fills: sight.fills }));
  if (status === 'LIVE' || status === 'DELAYED') return orderOf(sight, 'open', filled);
  if (status === 'MATCHED') {
    if (isWhole(sight.request, filled)) return orderOf(sight, 'filled', filled);
    const isOver = sight.request.orderType === 'FAK' || isTakenBack(sight, filled);
    return isOver ? ended(sight, filled) : orderOf(sight, 'open', filled);
  }
  if (status === 'INVALID') {
    const hasBeen = sight.isAcknowledged || !filled.isZero();
    return { ...orderOf(sight, hasBeen ? 'canceled' : 'rejected', filled), ...reasonOf('invalid') };
  }
  if (!/^CANCELL?ED/.test(status)) throw VenueError.unavailable('venue B sent an unknown status of an order');
  const order = ended(sight, filled);
  return status.endsWith('MARKET_RESOLVED') ? { ...order, ...reasonOf('market_resolved') } : order;
}

/** The order has ended: by its expiry, its kind or a cancel, or because nothing is left to match. */
function ended(sight: Sight, filled: Decimal): VenueOrder {
  const { request, isCancelConfirmed, isSilenced, now } = sight;
  if (isTakenBack(sight, filled))
    return { ...orderOf(sight, 'canceled', filled), ...reasonOf('trade_failed') };
  if (request.orderType === 'FAK')
    return { ...orderOf(sight, 'canceled', filled), ...reasonOf('time_in_force') };
  if (isCancelConfirmed) return { ...orderOf(sight, 'canceled', filled), ...reasonOf('requested') };
  if (
    request.orderType === 'GTD' &&
    now.getTime() >= Number(request.expiration) * SECOND_MS - EXPIRY_LEAD_MS
  ) {
    return { ...orderOf(sight, 'expired', filled), ...reasonOf('expired') };
  }
  return { ...orderOf(sight, 'canceled', filled), ...reasonOf(isSilenced ? 'dead_man' : 'at_venue') };
}

/** A buy may get more shares than requested, and fewer by rounding. */
export function isWhole({ order }: PolymarketRequest, filled: Decimal): boolean {
  const wanted = new Decimal(order.side === 'BUY' ? order.takerAmount : order.makerAmount).dividedBy(UNITS);
  return wanted.minus(filled).lessThan(DUST_SHARES);
}

export const bookedOf = (fills: readonly VenueFill[]): Decimal =>
  fills
    .filter(({ state }) => state !== 'failed')
    .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));

const orderOf = ({ orderId, fills }: Sight, status: VenueOrder['status'], filled: Decimal): VenueOrder => ({
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

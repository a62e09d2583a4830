import type { OrderStatus } from '../../db/entities/order.ts';

/** Status and expiry of an order; `expires_at` as the database returns it. */
type Waiting = { status: OrderStatus; expires_at: string | Date | null };

/**
 * Every allowed step of an order. A final status is left only by a late fill that completes the order: what the venue did is a
 * fact.
 */
const EDGES: Record<OrderStatus | 'initial', readonly OrderStatus[]> = {
  initial: ['denied', 'pending', 'queued'],
  denied: [],
  pending: ['queued', 'declined', 'expired', 'canceled'],
  queued: ['submitted', 'canceled', 'expired'],
  submitted: ['open', 'partially_filled', 'filled', 'rejected', 'canceled', 'expired', 'unknown'],
  unknown: ['open', 'partially_filled', 'filled', 'rejected', 'canceled', 'expired'],
  open: ['partially_filled', 'filled', 'canceled', 'expired'],
  partially_filled: ['partially_filled', 'filled', 'canceled', 'expired'],
  filled: [],
  canceled: ['filled'],
  expired: ['filled'],
  declined: [],
  rejected: ['filled'],
};

/** Statuses in which an order can still trade, or waits for approval. */
export const LIVE_STATUSES = [
  'pending',
  'queued',
  'submitted',
  'unknown',
  'open',
  'partially_filled',
] as const satisfies OrderStatus[];

/** Statuses in which the venue may have the order. */
export const AT_VENUE_STATUSES = [
  'submitted',
  'unknown',
  'open',
  'partially_filled',
] as const satisfies OrderStatus[];

/** Statuses in which a sell has been cleared, and so reserves its amount. */
export const RESERVING_STATUSES = ['queued', ...AT_VENUE_STATUSES] as const satisfies OrderStatus[];

const LIVE: ReadonlySet<OrderStatus> = new Set(LIVE_STATUSES);
const RESERVING: ReadonlySet<OrderStatus> = new Set(RESERVING_STATUSES);
const AT_VENUE: ReadonlySet<OrderStatus> = new Set(AT_VENUE_STATUSES);

export const isLive = (status: OrderStatus): boolean => LIVE.has(status);
export const isReserving = (status: OrderStatus): boolean => RESERVING.has(status);
export const isAtVenue = (status: OrderStatus): boolean => AT_VENUE.has(status);
/** Whether a cancel still has an effect; an order that waits for approval is declined instead. */
export const canCancel = (status: OrderStatus): boolean => isLive(status) && status !== 'pending';
export const isFinal = (status: OrderStatus): boolean => !isLive(status);

export const isAllowedTransition = (from: OrderStatus | null, to: OrderStatus): boolean =>
  EDGES[from ?? 'initial'].includes(to);

/** Whether time alone ends the order: at a venue it ends when the venue says so. */
export const canExpire = (status: OrderStatus): boolean => status === 'pending' || status === 'queued';

/** Whether a pending or queued order is past its time. It then counts as expired, even before a job has run. */
export function isPastItsTime(order: Waiting, now: Date): boolean {
  if (!canExpire(order.status)) return false;
  return order.expires_at !== null && new Date(order.expires_at) <= now;
}

/** Returns the status to show at `now`. */
export const statusAt = (order: Waiting, now: Date): OrderStatus =>
  isPastItsTime(order, now) ? 'expired' : order.status;

import type { OrderStatus } from '../../db/entities/order.ts';

/** What of an order its status and its end of waiting are; `expires_at` as the database gives it. */
type Waiting = { status: OrderStatus; expires_at: string | Date | null };

/**
 * Every step an order may take; there is no other. A final status is left only by a late fill that completes the
 * order, because what the venue did is a fact.
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

/** Statuses in which an order can still trade, or waits for the word that lets it. */
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

/** Statuses in which a sell has been cleared, and so reserves what it would sell. */
export const RESERVING_STATUSES = ['queued', ...AT_VENUE_STATUSES] as const satisfies OrderStatus[];

const LIVE: ReadonlySet<OrderStatus> = new Set(LIVE_STATUSES);
const RESERVING: ReadonlySet<OrderStatus> = new Set(RESERVING_STATUSES);
const AT_VENUE: ReadonlySet<OrderStatus> = new Set(AT_VENUE_STATUSES);

export const isLive = (status: OrderStatus): boolean => LIVE.has(status);
export const isReserving = (status: OrderStatus): boolean => RESERVING.has(status);
export const isAtVenue = (status: OrderStatus): boolean => AT_VENUE.has(status);
/** Whether a cancel can still do something; what waits for approval is declined instead. */
export const canCancel = (status: OrderStatus): boolean => isLive(status) && status !== 'pending';
export const isFinal = (status: OrderStatus): boolean => !isLive(status);

export const isEdge = (from: OrderStatus | null, to: OrderStatus): boolean =>
  EDGES[from ?? 'initial'].includes(to);

/** Whether time alone ends it: what is at a venue ends when the venue says so. */
export const canLapse = (status: OrderStatus): boolean => status === 'pending' || status === 'queued';

/** A pending or queued order past its time is expired for everyone who looks, whether or not a job has run. */
export function isPastItsTime(order: Waiting, now: Date): boolean {
  if (!canLapse(order.status)) return false;
  return order.expires_at !== null && new Date(order.expires_at) <= now;
}

/** The status a reader is told at `now`. */
export const statusAt = (order: Waiting, now: Date): OrderStatus =>
  isPastItsTime(order, now) ? 'expired' : order.status;

import { DomainError } from '../../../platform/errors.ts';
import { isPastItsTime, statusAt } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import { goodTillPassed, isGoodTillPassed } from '../terms/good-till.ts';
import {
  type DecisionOutcome,
  decisionOutcomeOf,
  type OrderChange,
  planStatusChange,
  type StatusReason,
  withOrderChange,
} from './order-change.ts';
import { type ActionContext, canceledFor, planCancel } from './plan-cancel.ts';

/**
 * Cancels an order for an actor; null if it is already canceled.
 *
 * @throws DomainError `invalid_state` for an order that has ended differently.
 */
export function planCancelByActor(order: OrderRow, { actor, now }: ActionContext): DecisionOutcome | null {
  const status = statusAt(order, now);
  if (status === 'canceled' || order.cancel_requested_at !== null) return null;
  const change = planCancel(order, canceledFor(`Canceled by ${actor}.`), { actor, now });
  if (change === null) {
    throw new DomainError(
      'invalid_state',
      `Order ${order.id} is ${status}: there is nothing left to cancel.`,
    );
  }
  return endedBy('order.cancel_requested', change, now);
}

/**
 * Declines an intent that waits for approval; null if it is already declined.
 *
 * @throws DomainError `intent_expired`, or `intent_not_pending` for an order in another status.
 */
export function planDecline(order: OrderRow, { actor, now }: ActionContext): DecisionOutcome | null {
  if (order.status === 'declined') return null;
  if (order.status === 'pending' && isPastItsTime(order, now)) {
    throw new DomainError('intent_expired', `Order ${order.id} waited for approval and has expired.`);
  }
  if (order.status !== 'pending') {
    throw new DomainError(
      'intent_not_pending',
      `Order ${order.id} is ${statusAt(order, now)}: only a pending one can be declined.`,
    );
  }
  const declined = planStatusChange(order, 'declined', {
    at: now,
    actor,
    reasonCode: 'declined',
    reason: `Declined by ${actor}.`,
  });
  return endedBy('order.declined', declined, now);
}

/** Builds the outcome of an end on request, with its audit record. */
const endedBy = (action: string, change: OrderChange, at: Date): DecisionOutcome => {
  const before = { status: change.before.status };
  const after = { status: withOrderChange(change).status };
  return decisionOutcomeOf([change], [{ action, subjectId: change.before.id, before, after, at }]);
};

/** Expires an order whose time is over; null for any other. */
export const planExpiry = (order: OrderRow, { actor, now }: ActionContext): DecisionOutcome | null =>
  isPastItsTime(order, now)
    ? decisionOutcomeOf([planStatusChange(order, 'expired', { at: now, actor, ...whyExpired(order) })])
    : null;

function whyExpired({ status, expires_at, good_till }: OrderRow): StatusReason {
  const isItsOwnEnd = expires_at !== null && isGoodTillPassed(good_till, new Date(expires_at));
  if (isItsOwnEnd) return goodTillPassed(good_till);
  return status === 'pending'
    ? { reasonCode: 'not_approved', reason: 'It was not approved in time.' }
    : { reasonCode: 'not_sent', reason: 'It was not sent within 30 seconds.' };
}

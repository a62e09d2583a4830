import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { VenueOrder } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import { isAllowedTransition, isFinal } from '../../../platform/order-states.ts';
import type { StatusReason } from '../lifecycle/order-change.ts';
import { orderChangedEvent } from '../order-changed-event.ts';
import type { OrderRow } from '../row.ts';
import { goodTillPassed, isGoodTillPassed } from '../terms/good-till.ts';

/**
 * Returns the next status of an order, or null to stay. The booked fills decide how much is filled: a report of an end whose
 * fills are incomplete waits until they arrive.
 */
export function statusAfter(
  order: Pick<OrderRow, 'status' | 'amount' | 'filled_amount'>,
  answer: Pick<VenueOrder, 'status' | 'filledAmount'>,
  hasNewFills: boolean,
): OrderStatus | null {
  const to = statusBy(order, answer);
  if (to === order.status && !hasNewFills) return null;
  return isAllowedTransition(order.status, to) ? to : null;
}

function statusBy(
  { amount, filled_amount }: Pick<OrderRow, 'amount' | 'filled_amount'>,
  answer: Pick<VenueOrder, 'status' | 'filledAmount'>,
): OrderStatus {
  const filled = exact(filled_amount);
  if (filled.gte(exact(amount))) return 'filled';
  const isWhole = answer.status === 'filled' && answer.filledAmount !== null && filled.gt(0);
  // A rounding remainder does not count: the order is filled if the venue says so, and all reported fills are booked.
  if (isWhole && !lacksFills({ filled_amount }, answer)) return 'filled';
  const isOngoing = answer.status === 'open' || answer.status === 'filled';
  if (isOngoing || lacksFills({ filled_amount }, answer)) return filled.gt(0) ? 'partially_filled' : 'open';
  return answer.status;
}

/** Whether the venue reports more filled than is booked. */
export const lacksFills = (
  { filled_amount }: Pick<OrderRow, 'filled_amount'>,
  { filledAmount }: Pick<VenueOrder, 'filledAmount'>,
): boolean => filledAmount !== null && exact(filled_amount).lt(filledAmount);

/** Turns a cancel by the venue into `expired` if no cancel was requested and the order's own time was over. */
export function expiredIfTimeOver<Answer extends Pick<VenueOrder, 'status' | 'reasonCode' | 'reason'>>(
  { cancel_requested_at, good_till }: Pick<OrderRow, 'cancel_requested_at' | 'good_till'>,
  answer: Answer,
  now: Date,
): Answer {
  const isItsOwn = cancel_requested_at === null && isGoodTillPassed(good_till, now);
  if (answer.status !== 'canceled' || !isItsOwn) return answer;
  return { ...answer, status: 'expired', ...goodTillPassed(good_till) };
}

/**
 * Returns the reason of a report's status: that of our cancel request, unless the order ended differently; otherwise the
 * venue's.
 */
export function statusReasonAfter(
  order: Pick<OrderRow, 'cancel_requested_at' | 'reason_code' | 'reason'>,
  answer: Pick<VenueOrder, 'reasonCode' | 'reason'>,
  to: OrderStatus,
): StatusReason {
  const isCancelRequested = order.cancel_requested_at !== null && (to === 'canceled' || !isFinal(to));
  const { reasonCode, reason } = isCancelRequested
    ? { reasonCode: order.reason_code, reason: order.reason }
    : answer;
  return { ...(reasonCode === null ? {} : { reasonCode }), ...(reason === null ? {} : { reason }) };
}

/** Builds the events of a report that changed the order; `booked` is the number of new fills. */
export function reportEventsOf(
  order: Pick<OrderRow, 'id' | 'blueprint_id' | 'token_id' | 'side' | 'status'>,
  booked: number,
) {
  if (booked === 0) return [orderChangedEvent(order)];
  const payload = { orderId: order.id, tokenId: order.token_id, blueprintId: order.blueprint_id };
  return [
    orderChangedEvent(order),
    { type: 'fill.applied' as const, payload: { ...payload, fills: booked } },
    { type: 'position.changed' as const, payload },
  ];
}

import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { VenueOrder } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import { isEdge, isFinal } from '../../../platform/order-states.ts';
import { orderChanged } from '../events.ts';
import type { Reason } from '../lifecycle/order-change.ts';
import type { OrderRow } from '../row.ts';
import { goodTillPassed, isGoodTillPassed } from '../terms/good-till.ts';

/**
 * Where the order goes from here, or null to stay. What our own books say of its fills decides how full it is: an
 * answer that claims an end we have not all fills of waits until they arrive.
 */
export function statusAfter(
  order: Pick<OrderRow, 'status' | 'amount' | 'filled_amount'>,
  answer: Pick<VenueOrder, 'status' | 'filledAmount'>,
  hasNewFills: boolean,
): OrderStatus | null {
  const to = statusBy(order, answer);
  if (to === order.status && !hasNewFills) return null;
  return isEdge(order.status, to) ? to : null;
}

function statusBy(
  { amount, filled_amount }: Pick<OrderRow, 'amount' | 'filled_amount'>,
  answer: Pick<VenueOrder, 'status' | 'filledAmount'>,
): OrderStatus {
  const filled = exact(filled_amount);
  if (filled.gte(exact(amount))) return 'filled';
  const isWhole = answer.status === 'filled' && answer.filledAmount !== null && filled.gt(0);
  // What rounding leaves of an order is none: it is filled where the venue says so, and all it says is booked.
  if (isWhole && !lacksFills({ filled_amount }, answer)) return 'filled';
  const goesOn = answer.status === 'open' || answer.status === 'filled';
  if (goesOn || lacksFills({ filled_amount }, answer)) return filled.gt(0) ? 'partially_filled' : 'open';
  return answer.status;
}

/** Whether the venue says that more is filled than is booked. */
export const lacksFills = (
  { filled_amount }: Pick<OrderRow, 'filled_amount'>,
  { filledAmount }: Pick<VenueOrder, 'filledAmount'>,
): boolean => filledAmount !== null && exact(filled_amount).lt(filledAmount);

/** What the venue canceled though nobody had asked for it, once the order's own time was over, has expired. */
export function withOwnEnd<Answer extends Pick<VenueOrder, 'status' | 'reasonCode' | 'reason'>>(
  { cancel_requested_at, good_till }: Pick<OrderRow, 'cancel_requested_at' | 'good_till'>,
  answer: Answer,
  now: Date,
): Answer {
  const isItsOwn = cancel_requested_at === null && isGoodTillPassed(good_till, now);
  if (answer.status !== 'canceled' || !isItsOwn) return answer;
  return { ...answer, status: 'expired', ...goodTillPassed(good_till) };
}

/**
 * Why an order is where an answer moves it: what we asked it back for, as long as it has not ended otherwise; else what
 * the venue says.
 */
export function whyAfter(
  order: Pick<OrderRow, 'cancel_requested_at' | 'reason_code' | 'reason'>,
  answer: Pick<VenueOrder, 'reasonCode' | 'reason'>,
  to: OrderStatus,
): Reason {
  const isAskedBack = order.cancel_requested_at !== null && (to === 'canceled' || !isFinal(to));
  const { reasonCode, reason } = isAskedBack
    ? { reasonCode: order.reason_code, reason: order.reason }
    : answer;
  return { ...(reasonCode === null ? {} : { reasonCode }), ...(reason === null ? {} : { reason }) };
}

/** What the account's event stream says of an answer that changed the order; `booked` is how many fills were new. */
export function eventsOf(
  order: Pick<OrderRow, 'id' | 'blueprint_id' | 'token_id' | 'side' | 'status'>,
  booked: number,
) {
  if (booked === 0) return [orderChanged(order)];
  const payload = { orderId: order.id, tokenId: order.token_id, blueprintId: order.blueprint_id };
  return [
    orderChanged(order),
    { type: 'fill.applied' as const, payload: { ...payload, fills: booked } },
    { type: 'position.changed' as const, payload },
  ];
}

import { toIso, toIsoOrNull } from '../../../platform/clock/timestamp-text.ts';
import { type Exact, exact, toMoney } from '../../../platform/decimal.ts';
import { statusAt } from '../../../platform/order-states.ts';
import type { Receipt } from '../../../risk/receipt.ts';
import type { OrderRow } from '../row.ts';

/** Converts an order's own fields for output at `now`. Decimals are strings, times ISO 8601. */
export function orderFieldsOf(order: OrderRow, now: Date) {
  const filled = exact(order.filled_amount);
  return {
    id: order.id,
    blueprintId: order.blueprint_id,
    deploymentId: order.deployment_id,
    releaseNumber: order.release_number,
    nodeId: order.node_id,
    origin: order.origin,
    tokenId: order.token_id,
    venue: order.venue,
    side: order.side,
    type: order.type,
    timeInForce: order.time_in_force,
    amount: trimmedDecimal(order.amount),
    limitPrice: trimmedDecimal(order.limit_price),
    size: trimmedDecimal(order.size),
    worstFee: trimmedDecimal(order.worst_fee),
    filledAmount: trimmedDecimal(filled),
    averagePrice: filled.isZero() ? null : trimmedDecimal(toMoney(exact(order.filled_notional).div(filled))),
    fees: trimmedDecimal(order.fees),
    status: statusAt(order, now),
    reasonCode: order.reason_code,
    reason: order.reason,
    // Written by `buildReceipt` alone, and never changed.
    receipt: order.receipt as Receipt,
    approvalReceipt: order.approval_receipt as Receipt | null,
    inputs: order.inputs,
    decidedQuote: order.decided_quote,
    preapprovedRelease: order.preapproved_release,
    approvedBy: order.approved_by,
    cancelRequestedAt: toIsoOrNull(order.cancel_requested_at),
    createdAt: toIso(order.created_at),
    updatedAt: toIso(order.updated_at),
    queuedAt: toIsoOrNull(order.queued_at),
    submittedAt: toIsoOrNull(order.submitted_at),
    endedAt: toIsoOrNull(order.ended_at),
    expiresAt: toIsoOrNull(order.expires_at ?? order.good_till),
    version: order.version,
  };
}

/** A decimal string without trailing zeros. */
export const trimmedDecimal = (value: string | Exact): string => exact(value).toFixed();

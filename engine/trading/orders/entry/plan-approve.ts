import { exact } from '../../../platform/decimal.ts';
import { DomainError } from '../../../platform/errors.ts';
import { requireReviewedVersion } from '../../../platform/reviewed-version.ts';
import type { Denial } from '../../../risk/decide.ts';
import { buildReceipt } from '../../../risk/receipt.ts';
import {
  type DecisionOutcome,
  decisionOutcomeOf,
  planStatusChange,
  withOrderChange,
} from '../lifecycle/order-change.ts';
import type { ActionContext } from '../lifecycle/plan-cancel.ts';
import { mustStopForDailyLoss } from '../lifecycle/plan-loss-stops.ts';
import type { Market, OrderRow } from '../row.ts';
import { SEND_WITHIN_MS } from '../settings.ts';
import { defaultGoodTill, noLaterThan } from '../terms/good-till.ts';
import { refuseMovedPrice, refuseUnlessPending } from './approval-checks.ts';
import { type RecheckInput, recheck } from './evaluate-proposal.ts';
import { refuseUnlessQueued } from './refusals.ts';

/** Inputs of an approval, all of one moment. */
export type ApproveInputs = RecheckInput & {
  readonly order: OrderRow;
  /** Whether the deployment that raised it has ended. */
  readonly hasEnded: boolean;
  readonly market: Market;
};

/**
 * Result of an approval: the order is cleared; or the daily loss has reached its limit, which declines the order. `denial`
 * states why.
 */
export type ApproveOutcome =
  | { readonly kind: 'queued'; readonly outcome: DecisionOutcome }
  | { readonly kind: 'daily_loss_reached'; readonly denial: Denial | null };

/**
 * Clears a pending intent for sending, exactly as displayed; null if it is approved already. Pure.
 *
 * @throws DomainError `intent_expired`, `intent_not_pending`, `risk_rule_violated`, `price_moved`, `market_not_open`,
 *   `quote_unavailable`, `no_liquidity`; `precondition_failed` if the order is no longer at `ifVersion`; `invalid_state`
 *   if its deployment has ended.
 */
export function planApprove(
  facts: ApproveInputs,
  { actor, now }: ActionContext,
  ifVersion?: number,
): ApproveOutcome | null {
  const { order, hasEnded, market, snapshot } = facts;
  if (order.approved_by !== null) return null;
  refuseUnlessPending(order, now);
  requireReviewedVersion(order.version, ifVersion);
  if (hasEnded) throw deploymentEnded(order);
  refuseMovedPrice(order, market, now);
  const decision = recheck(order, facts, now, 'person');
  if (order.side === 'buy' && mustStopForDailyLoss(snapshot))
    return { kind: 'daily_loss_reached', denial: decision.denial };
  refuseUnlessQueued(decision, order.id);
  const receipt = buildReceipt(snapshot, decision, now, facts);
  const goodTillToSet =
    order.good_till === null ? defaultGoodTill({ ...order, timeInForce: order.time_in_force }, now) : null;
  const queued = planStatusChange(order, 'queued', {
    at: now,
    actor,
    set: {
      approved_by: actor,
      approval_receipt: receipt,
      queued_at: now.toISOString(),
      ...(goodTillToSet !== null && { good_till: goodTillToSet.toISOString() }),
      expires_at: noLaterThan(order.good_till, new Date(now.getTime() + SEND_WITHIN_MS)).toISOString(),
    },
  });
  const approved = {
    action: 'order.approved',
    subjectId: order.id,
    before: { status: order.status },
    after: {
      status: withOrderChange(queued).status,
      rulesVersion: receipt.rulesVersion,
      side: order.side,
      amount: exact(order.amount).toFixed(),
      price: exact(order.limit_price).toFixed(),
      venue: order.venue,
      tokenId: order.token_id,
      title: market.instrument.title,
    },
    at: now,
  };
  return { kind: 'queued', outcome: decisionOutcomeOf([queued], [approved]) };
}

/** Error for a pending intent of an ended deployment. Stop and deploy cancel pending intents; this covers one they missed. */
const deploymentEnded = ({ id }: OrderRow) =>
  new DomainError(
    'invalid_state',
    `The deployment of order ${id} has ended: it cannot be approved any more.`,
  );

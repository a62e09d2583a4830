import type { BrokerOrder, Prepared, PrepareResult } from '../../../../venues/broker.ts';
import type { BooksKey } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { isPastItsTime } from '../../../platform/order-states.ts';
import { liveDenialOf } from '../../../risk/live-limits.ts';
import type { LiveOrderInputs } from '../../../risk/risk-inputs.ts';
import {
  type DecisionOutcome,
  decisionOutcomeOf,
  planStatusChange,
  type StatusReason,
} from '../lifecycle/order-change.ts';
import type { ActionContext } from '../lifecycle/plan-cancel.ts';
import type { OrderRow } from '../row.ts';
import { ARRIVE_WITHIN_MS } from '../settings.ts';
import { noLaterThan } from '../terms/good-till.ts';
import { statusReasonAfter } from './next-status.ts';

/** Columns of the raising deployment that may block an order from being sent. */
export type DeploymentSendState = { readonly ended_at: string | null; readonly halted: boolean | null };

/** Whether the route to the venue is available now: open under a lease, later, or closed for good. */
export type RouteState =
  | { readonly kind: 'open'; readonly leaseEpoch: string | null }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'closed'; readonly why: StatusReason };

/** Route without a lease: paper needs no connection, and a single process needs no lease. */
export const NO_LEASE_NEEDED: RouteState = { kind: 'open', leaseEpoch: null };

/** An order to send with its request, or one that ends before it is sent. */
export type Submission =
  | {
      readonly kind: 'send';
      readonly outcome: DecisionOutcome;
      readonly order: BrokerOrder;
      readonly prepared: Prepared;
      readonly leaseEpoch: string | null;
    }
  | { readonly kind: 'cancel'; readonly outcome: DecisionOutcome };

/**
 * Decides whether to send a queued order; null if it is no longer queued, or waits for its route. Cancels it if:
 * its deployment has ended, or has halted entries for a buy; its route is closed; it exceeds a live limit (`live`, null on
 * paper); or no request can be built. `deployment` is null for an order without a deployment, undefined if the deployment does not
 * exist. Pure, as `prepare` is.
 */
export function planSubmission(
  order: OrderRow,
  deployment: DeploymentSendState | undefined | null,
  route: RouteState,
  prepare: (order: BrokerOrder) => PrepareResult,
  doing: ActionContext & BooksKey,
  live: LiveOrderInputs | null = null,
): Submission | null {
  const { now: at, actor } = doing;
  if (order.status !== 'queued' || isPastItsTime(order, at)) return null;
  const cancelWith = (why: StatusReason): Submission => ({
    kind: 'cancel',
    outcome: decisionOutcomeOf([planStatusChange(order, 'canceled', { at, actor, ...why })]),
  });
  if (isBlockedByDeployment(order, deployment)) {
    return cancelWith({
      reasonCode: 'deployment_ended',
      reason: 'Its deployment ended before it was sent.',
    });
  }
  if (route.kind === 'unavailable') return null;
  if (route.kind === 'closed') return cancelWith(route.why);
  const denial = liveDenialOf({
    side: order.side,
    size: exact(order.size),
    maxFee: exact(order.worst_fee),
    live: live ?? undefined,
  });
  if (denial !== null) return cancelWith({ reasonCode: denial.code, reason: denial.message });
  const toSend = brokerOrderOf(order, doing);
  const preparation = prepare(toSend);
  if (preparation.kind === 'refused') {
    return cancelWith({ reasonCode: preparation.code, reason: preparation.reason });
  }
  const submitted = planStatusChange(order, 'submitted', {
    at,
    actor,
    set: { submitted_at: at.toISOString() },
  });
  return {
    kind: 'send',
    outcome: decisionOutcomeOf([submitted]),
    order: toSend,
    prepared: preparation.prepared,
    leaseEpoch: route.leaseEpoch,
  };
}

/** Whether the raising deployment blocks the order from being sent. Pure. */
export function isBlockedByDeployment(
  { deployment_id, side }: OrderRow,
  deployment: DeploymentSendState | undefined | null,
): boolean {
  if (deployment_id === null) return false;
  if (deployment == null || deployment.ended_at !== null) return true;
  return deployment.halted === true && side === 'buy';
}

const brokerOrderOf = (order: OrderRow, { accountId, mode, now }: ActionContext & BooksKey): BrokerOrder => ({
  accountId,
  mode,
  id: order.id,
  tokenId: order.token_id,
  venue: order.venue,
  side: order.side,
  timeInForce: order.time_in_force,
  amount: exact(order.amount).toFixed(),
  limitPrice: exact(order.limit_price).toFixed(),
  validUntil: noLaterThan(order.good_till, new Date(now.getTime() + ARRIVE_WITHIN_MS)),
  goodTill: order.good_till === null ? null : new Date(order.good_till),
});

/** Marks a sent order without a response as `unknown`: only the venue knows its state. Null for any other order. */
export function markSentUnknown(
  order: OrderRow,
  reason: string,
  { actor, now }: ActionContext,
): DecisionOutcome | null {
  if (order.status !== 'submitted') return null;
  const why = statusReasonAfter(order, { reasonCode: 'answer_lost', reason }, 'unknown');
  return decisionOutcomeOf([planStatusChange(order, 'unknown', { at: now, actor, ...why })]);
}

/** Rejects an unknown order after proof that the venue never received it; null if it is no longer unknown. */
export const rejectUnreceivedOrder = (
  order: OrderRow,
  { actor, now }: ActionContext,
): DecisionOutcome | null =>
  order.status === 'unknown'
    ? decisionOutcomeOf([
        planStatusChange(order, 'rejected', {
          at: now,
          actor,
          reasonCode: 'never_arrived',
          reason: 'The venue never received it.',
        }),
      ])
    : null;

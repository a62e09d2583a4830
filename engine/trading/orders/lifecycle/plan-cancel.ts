import { exact } from '../../../platform/decimal.ts';
import { isAtVenue, isLive, isPastItsTime } from '../../../platform/order-states.ts';
import type { Cancellation } from '../../../strategy/graph/types.ts';
import type { OrderRow } from '../row.ts';
import {
  type DecisionOutcome,
  decisionOutcomeOf,
  type OrderChange,
  planFieldChange,
  planStatusChange,
} from './order-change.ts';

/** Reason of a cancel: machine-readable and in words. */
export type CancelReason = {
  reasonCode:
    | 'account_suspended'
    | 'canceled'
    | 'daily_loss'
    | 'drawdown'
    | 'fee_raised'
    | 'rule_changed'
    | 'trade_reversed';
  reason: string;
};

export const canceledFor = (reason: string): CancelReason => ({ reasonCode: 'canceled', reason });

/** Actor and time of an action. */
export type ActionContext = { readonly actor: string; readonly now: Date };

/**
 * Cancels an unsent order, or requests the cancel of one that the venue may have. The latter may fill until the venue confirms.
 * Null if the order has ended.
 */
export function planCancel(
  order: OrderRow,
  why: CancelReason,
  { actor, now }: ActionContext,
): OrderChange | null {
  if (isPastItsTime(order, now)) return null;
  if (order.status === 'pending' || order.status === 'queued') {
    return planStatusChange(order, 'canceled', { at: now, actor, ...why });
  }
  if (!isAtVenue(order.status)) return null;
  return planFieldChange(order, now, {
    cancel_requested_at: now.toISOString(),
    reason_code: why.reasonCode,
    reason: why.reason,
  });
}

const isNew = ({ status, cancel_requested_at }: OrderRow): boolean =>
  isLive(status) && cancel_requested_at === null;

const taken = (
  orders: readonly OrderRow[],
  change: (order: OrderRow) => OrderChange | null,
): DecisionOutcome => decisionOutcomeOf(orders.map(change).filter((each) => each !== null));

export type BuysToCancel = CancelReason & {
  /** Only buys whose size for the rules is larger than this, a decimal string in USD. */
  largerThan?: string;
  /** Whether intents that wait for approval are declined too; otherwise they are rechecked at their approval. */
  declinePending?: boolean;
};

/** Cancels, among these orders, the cleared buys without a cancel request. */
export const planBuyCancels = (
  orders: readonly OrderRow[],
  { reasonCode, reason, largerThan, declinePending = false }: BuysToCancel,
  doing: ActionContext,
): DecisionOutcome =>
  taken(orders, (order) => {
    if (order.side !== 'buy' || !isNew(order) || isPastItsTime(order, doing.now)) return null;
    if (largerThan !== undefined && exact(order.size).lte(largerThan)) return null;
    const { actor, now: at } = doing;
    if (order.status !== 'pending') return planCancel(order, { reasonCode, reason }, doing);
    return declinePending ? planStatusChange(order, 'declined', { at, actor, reasonCode, reason }) : null;
  });

/** Cancels, among the orders of a blueprint, those that their own nodes no longer want. */
export const planNodeCancels = (
  orders: readonly OrderRow[],
  wishes: readonly Cancellation[],
  doing: ActionContext,
): DecisionOutcome =>
  taken(orders, (order) => {
    const wish = wishes.find(({ orderId }) => orderId === order.id);
    const isItsOwn = wish !== undefined && wish.nodeId === order.node_id;
    return isItsOwn && isNew(order) ? planCancel(order, canceledFor(wish.reason), doing) : null;
  });

export type DeploymentCancel = {
  /** The moment read under the account's lock. */
  now: Date;
  /** Reason in words, for each order's log. */
  reason: string;
  /** Excludes sells: a deployment with an error halts its entries, while its exits stay active. */
  onlyBuys?: boolean;
  /** Nodes whose sells are canceled even then: a quote that no node supervises would hold units that exits need. */
  quotes?: ReadonlySet<string>;
};

/** Cancels, among these orders, those of a deployment without a cancel request. */
export const planDeploymentCancels = (
  orders: readonly OrderRow[],
  deploymentId: string,
  { now, reason, onlyBuys = false, quotes = new Set() }: DeploymentCancel,
  actor: string,
): DecisionOutcome =>
  taken(orders, (order) => {
    const isKept = onlyBuys && order.side === 'sell' && !quotes.has(order.node_id ?? '');
    const isMeant = order.deployment_id === deploymentId && !isKept;
    return isMeant && isNew(order) ? planCancel(order, canceledFor(reason), { actor, now }) : null;
  });

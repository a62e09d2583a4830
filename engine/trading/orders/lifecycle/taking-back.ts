import { exact } from '../../../platform/decimal.ts';
import { isAtVenue, isLive, isPastItsTime } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import { amend, type OrderChange, type Outcome, outcomeOf, stepTo } from './order-change.ts';

/** Why an order is taken back: machine-readable and in words. */
export type Why = {
  reasonCode: 'canceled' | 'daily_loss' | 'drawdown' | 'fee_raised' | 'rule_changed' | 'trade_reversed';
  reason: string;
};

export const canceledFor = (reason: string): Why => ({ reasonCode: 'canceled', reason });

/** Who does something, and when. */
export type Doing = { readonly actor: string; readonly now: Date };

/**
 * The cancel of an order the venue has not got, or the wish to cancel one it may have, which may fill until the venue
 * confirms; null for one that has ended.
 */
export function takeBack(order: OrderRow, why: Why, { actor, now }: Doing): OrderChange | null {
  if (isPastItsTime(order, now)) return null;
  if (order.status === 'pending' || order.status === 'queued') {
    return stepTo(order, 'canceled', { at: now, actor, ...why });
  }
  if (!isAtVenue(order.status)) return null;
  return amend(order, now, {
    cancel_requested_at: now.toISOString(),
    reason_code: why.reasonCode,
    reason: why.reason,
  });
}

const isNew = ({ status, cancel_requested_at }: OrderRow): boolean =>
  isLive(status) && cancel_requested_at === null;

const taken = (orders: readonly OrderRow[], change: (order: OrderRow) => OrderChange | null): Outcome =>
  outcomeOf(orders.map(change).filter((each) => each !== null));

export type BuysToCancel = Why & {
  /** Only buys whose size the rules judged as larger than this, a decimal string in USD. */
  largerThan?: string;
  /** Whether intents that wait for approval are declined too; else they are judged again at their approval. */
  declinePending?: boolean;
};

/** Takes back, of these orders, the buys that are cleared and nobody has asked back yet. */
export const takeBackBuys = (
  orders: readonly OrderRow[],
  { reasonCode, reason, largerThan, declinePending = false }: BuysToCancel,
  doing: Doing,
): Outcome =>
  taken(orders, (order) => {
    if (order.side !== 'buy' || !isNew(order) || isPastItsTime(order, doing.now)) return null;
    if (largerThan !== undefined && exact(order.size).lte(largerThan)) return null;
    const { actor, now: at } = doing;
    if (order.status !== 'pending') return takeBack(order, { reasonCode, reason }, doing);
    return declinePending ? stepTo(order, 'declined', { at, actor, reasonCode, reason }) : null;
  });

export type DeploymentCancel = {
  /** The moment read under the account's lock. */
  now: Date;
  /** Why, in words, for each order's log. */
  reason: string;
  /** Leave sells alone: a deployment with an error halts its entries, its exits keep guarding. */
  onlyBuys?: boolean;
};

/** Takes back, of these orders, those of a deployment that nobody has asked back yet. */
export const takeBackOfDeployment = (
  orders: readonly OrderRow[],
  deploymentId: string,
  { now, reason, onlyBuys = false }: DeploymentCancel,
  actor: string,
): Outcome =>
  taken(orders, (order) => {
    const isMeant = order.deployment_id === deploymentId && (order.side === 'buy' || !onlyBuys);
    return isMeant && isNew(order) ? takeBack(order, canceledFor(reason), { actor, now }) : null;
  });

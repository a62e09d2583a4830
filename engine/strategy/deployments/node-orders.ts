import type { OrderStatus } from '../../../db/entities/order.ts';
import { exact } from '../../platform/decimal.ts';
import { isLive } from '../../platform/order-states.ts';
import type { Intent, NodeOrder, NodeOrders } from '../graph/types.ts';

/** An order as its node sees it, times in epoch ms of the order clock. */
export type OrderFacts = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly amount: string;
  readonly limitPrice: string;
  readonly isCanceling: boolean;
  readonly filledAmount: string;
  readonly filledNotional: string;
  readonly fees: string;
  readonly endedAtMs: number | null;
  readonly message: string | null;
};

/** The part of an undecided intent that counts. */
export type UndecidedIntent = Pick<Intent, 'side' | 'tokenId' | 'amount'>;

/** Outcomes of the intents of a deployment, by node. */
export type NodeOutcomes = {
  /** At most two, the newest step first. */
  readonly orders: ReadonlyMap<string, readonly OrderFacts[]>;
  /** The intent that is not decided yet. */
  readonly undecided: ReadonlyMap<string, UndecidedIntent>;
  /** Intents that were refused without becoming an order, which their nodes must see. */
  readonly refusals: ReadonlyMap<string, NodeOrder>;
};

/** The order clock, and the conversion of its instants to the feed's clock. */
export type OrderClock = { readonly nowMs: number; readonly toFeed: (ms: number) => number };

/** Stands in for the terms and fills of an intent that is no order yet, or became none. */
export const WITHOUT_ORDER = {
  amount: '0',
  limitPrice: null,
  isCanceling: false,
  filledAmount: '0',
  filledNotional: '0',
  fees: '0',
} as const;

/** Stands in for an order while an intent waits for its decision. */
const UNDECIDED: NodeOrder = {
  id: 'undecided',
  status: 'undecided',
  ...WITHOUT_ORDER,
  endedAt: null,
  message: null,
};

const NONE: NodeOrders = { live: null, last: null };
const NO_ORDERS: ReadonlyMap<string, NodeOrders> = new Map<string, NodeOrders>();

/**
 * Returns the orders of each action node as the graph reads them. An order past its time is live until a job has recorded its
 * end: it may have been sent just before, so that nothing may follow it yet. Pure.
 */
export function nodeOrdersOf(
  { orders, undecided, refusals }: NodeOutcomes,
  at: OrderClock,
): ReadonlyMap<string, NodeOrders> {
  if (orders.size === 0 && undecided.size === 0 && refusals.size === 0) return NO_ORDERS;
  const seen = new Map<string, NodeOrders>();
  for (const [nodeId, facts] of orders) {
    const views = facts.map((order) => viewOf(order, at));
    seen.set(nodeId, {
      live: views.find(({ endedAt }) => endedAt === null) ?? null,
      last: views.find(({ endedAt }) => endedAt !== null) ?? null,
    });
  }
  for (const [nodeId, refusal] of refusals) {
    const { live, last } = seen.get(nodeId) ?? NONE;
    if ((last?.endedAt ?? 0) <= (refusal.endedAt ?? 0))
      seen.set(nodeId, { live, last: refusal, ended: last });
  }
  for (const nodeId of undecided.keys()) {
    const known = seen.get(nodeId) ?? NONE;
    seen.set(nodeId, { ...known, live: known.live ?? UNDECIDED });
  }
  return seen;
}

/** Returns the units that the blueprint's buys may still add, by instrument, including undecided ones. Pure. */
export function unfilledBuyUnitsOf(
  buying: ReadonlyMap<string, string>,
  { undecided }: Pick<NodeOutcomes, 'undecided'>,
): ReadonlyMap<string, string> {
  if (undecided.size === 0) return buying;
  const all = new Map(buying);
  for (const { side, tokenId, amount } of undecided.values()) {
    if (side !== 'buy') continue;
    const before = exact(all.get(tokenId) ?? 0);
    all.set(tokenId, before.plus(amount).toFixed());
  }
  return all;
}

function viewOf(order: OrderFacts, { nowMs, toFeed }: OrderClock): NodeOrder {
  const { endedAtMs, ...kept } = order;
  return { ...kept, endedAt: isLive(order.status) ? null : toFeed(endedAtMs ?? nowMs) };
}

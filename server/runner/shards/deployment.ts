import type { OrderStatus } from '../../../db/entities/order.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { exact } from '../../../engine/decimal.ts';
import type { Stepper } from '../../../engine/graph/run/evaluate.ts';
import type { Plan } from '../../../engine/graph/run/run.ts';
import type { Intent, Memory, NodeOrder, NodeOrders, Position } from '../../../engine/graph/types.ts';
import { isLive } from '../../../engine/order-states.ts';
import type { FeedTime } from '../market/feed-time.ts';

/** An order as the loader reads it, times in epoch ms of the database. */
export type OrderFacts = {
  id: string;
  status: OrderStatus;
  filledAmount: string;
  endedAtMs: number | null;
  expiresAtMs: number | null;
  message: string | null;
};

/** What counts of an intent before it is decided. */
export type UndecidedIntent = Pick<Intent, 'side' | 'tokenId' | 'amount'>;

/** A live deployment as the runner keeps it from tick to tick. */
export type FencedDeployment = {
  readonly accountId: string;
  readonly id: string;
  readonly blueprintId: string;
  readonly releaseNumber: number;
  readonly mode: Mode;
  readonly bodyHash: string;
  plan: Plan;
  /** Of `plan`, shared with other deployments of it. */
  stepper: Stepper;
  /** Why the release does not compile any more; `plan` is then its exits alone. */
  readonly problem: string | null;
  /** Its evaluation threw: all that is left of `plan` are its exits, with a memory that starts anew. */
  isExitsOnly: boolean;
  /** The blueprint is in error: entries halt. */
  isHalted: boolean;
  /** What is stored; replaced once the transaction that stores it has committed. */
  memory: Memory | null;
  /** Of the last evaluation that was stored; null before the first. */
  signature: string | null;
  /** When node states went to the row, process time in ms. */
  statesWrittenMs: number;
  isWatched: boolean;
  positions: ReadonlyMap<string, Position>;
  /** By instrument: units that live buys of the blueprint may still add. */
  buying: ReadonlyMap<string, string>;
  /** By node: at most two, the newest step first. */
  orders: ReadonlyMap<string, readonly OrderFacts[]>;
  /** By node: the intent it raised that is not decided yet. */
  undecided: ReadonlyMap<string, UndecidedIntent>;
  /** Intents that were refused without becoming an order, by node: the node must know. */
  refusals: ReadonlyMap<string, NodeOrder>;
  /** What it stored was refused by the database once: it is stored apart, so that it disturbs no other. */
  isStoredAlone: boolean;
};

/** Stands in for an order while an intent waits for its decision. */
const UNDECIDED: NodeOrder = {
  id: 'undecided',
  status: 'undecided',
  filledAmount: '0',
  endedAt: null,
  message: null,
};

/**
 * The orders of each action node as the graph reads them. An order whose time is over has ended, whether or not a
 * job has noted it.
 */
export function nodeOrdersOf(
  { orders, undecided, refusals }: Pick<FencedDeployment, 'orders' | 'undecided' | 'refusals'>,
  time: FeedTime,
): ReadonlyMap<string, NodeOrders> {
  if (orders.size === 0 && undecided.size === 0 && refusals.size === 0) return NO_ORDERS;
  const databaseNowMs = time.databaseNow();
  const toFeed = (databaseMs: number) => time.toFeed(databaseMs);
  const seen = new Map<string, NodeOrders>();
  for (const [nodeId, facts] of orders) {
    const views = facts.map((order) => viewOf(order, databaseNowMs, toFeed));
    seen.set(nodeId, {
      live: views.find(({ endedAt }) => endedAt === null) ?? null,
      last: views.find(({ endedAt }) => endedAt !== null) ?? null,
    });
  }
  for (const [nodeId, refusal] of refusals) {
    const { live, last } = seen.get(nodeId) ?? NONE;
    if ((last?.endedAt ?? 0) <= (refusal.endedAt ?? 0)) seen.set(nodeId, { live, last: refusal });
  }
  for (const nodeId of undecided.keys()) {
    const { live, last } = seen.get(nodeId) ?? NONE;
    seen.set(nodeId, { live: live ?? UNDECIDED, last });
  }
  return seen;
}

/** Units that the blueprint's buys may still add, by instrument, those not decided yet included. */
export function buyingOf({
  buying,
  undecided,
}: Pick<FencedDeployment, 'buying' | 'undecided'>): ReadonlyMap<string, string> {
  if (undecided.size === 0) return buying;
  const all = new Map(buying);
  for (const { side, tokenId, amount } of undecided.values()) {
    if (side === 'buy')
      all.set(
        tokenId,
        exact(all.get(tokenId) ?? 0)
          .plus(amount)
          .toFixed(),
      );
  }
  return all;
}

const NONE: NodeOrders = { live: null, last: null };
const NO_ORDERS: ReadonlyMap<string, NodeOrders> = new Map<string, NodeOrders>();

function viewOf(
  { id, status, filledAmount, endedAtMs, expiresAtMs, message }: OrderFacts,
  databaseNowMs: number,
  toFeed: (databaseMs: number) => number,
): NodeOrder {
  const isWaiting = status === 'pending' || status === 'queued';
  if (isWaiting && expiresAtMs !== null && expiresAtMs <= databaseNowMs)
    return { id, status: 'expired', filledAmount, endedAt: toFeed(expiresAtMs), message };
  const endedAt = isLive(status) ? null : toFeed(endedAtMs ?? databaseNowMs);
  return { id, status, filledAmount, endedAt, message };
}

import type { BrokerOrder, Preparation, Prepared } from '../../../../venues/broker.ts';
import type { BooksKey } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { isPastItsTime } from '../../../platform/order-states.ts';
import type { LiveFacts } from '../../../risk/facts.ts';
import { liveDenialOf } from '../../../risk/live.ts';
import { type Outcome, outcomeOf, type Reason, stepTo } from '../lifecycle/order-change.ts';
import type { Doing } from '../lifecycle/taking-back.ts';
import type { OrderRow } from '../row.ts';
import { ARRIVE_WITHIN_MS } from '../settings.ts';
import { noLaterThan } from '../terms/good-till.ts';
import { whyAfter } from './next-status.ts';

/** What of the deployment that raised an order may keep it from leaving. */
export type Fence = { readonly ended_at: string | null; readonly halted: boolean | null };

/** Whether the way to the venue lets an order out now: by which lease, not yet, or not at all. */
export type Passage =
  | { readonly kind: 'open'; readonly leaseEpoch: string | null }
  | { readonly kind: 'later' }
  | { readonly kind: 'closed'; readonly why: Reason };

/** Paper needs no connection, and a venue of one process no lease. */
export const UNLEASED: Passage = { kind: 'open', leaseEpoch: null };

/** An order that leaves with its request, or one that ends before. */
export type Departure =
  | {
      readonly kind: 'leaves';
      readonly outcome: Outcome;
      readonly order: BrokerOrder;
      readonly prepared: Prepared;
      readonly leaseEpoch: string | null;
    }
  | { readonly kind: 'stays'; readonly outcome: Outcome };

/**
 * Takes a queued order to its way; null for one that is not queued any more, or that waits for the way to its venue. An
 * order whose deployment has ended, or has halted its entries, since it was cleared is canceled, and so is one whose way has
 * closed, that breaks a bound of real money by now (`live`, null on paper), or of which no request can be made. `fence` is
 * null for an order of no deployment, undefined where that deployment is not there. Pure, as `prepare` is.
 */
export function depart(
  order: OrderRow,
  fence: Fence | undefined | null,
  passage: Passage,
  prepare: (order: BrokerOrder) => Preparation,
  doing: Doing & BooksKey,
  live: LiveFacts | null = null,
): Departure | null {
  const { now: at, actor } = doing;
  if (order.status !== 'queued' || isPastItsTime(order, at)) return null;
  const stay = (why: Reason): Departure => ({
    kind: 'stays',
    outcome: outcomeOf([stepTo(order, 'canceled', { at, actor, ...why })]),
  });
  if (isFenced(order, fence)) {
    return stay({
      reasonCode: 'deployment_ended',
      reason: 'Its deployment ended before it was sent.',
    });
  }
  if (passage.kind === 'later') return null;
  if (passage.kind === 'closed') return stay(passage.why);
  const denial = liveDenialOf({
    side: order.side,
    size: exact(order.size),
    worstFee: exact(order.worst_fee),
    live: live ?? undefined,
  });
  if (denial !== null) return stay({ reasonCode: denial.code, reason: denial.message });
  const toSend = brokerOrderOf(order, doing);
  const preparation = prepare(toSend);
  if (preparation.kind === 'refused') {
    return stay({ reasonCode: preparation.code, reason: preparation.reason });
  }
  const submitted = stepTo(order, 'submitted', { at, actor, set: { submitted_at: at.toISOString() } });
  return {
    kind: 'leaves',
    outcome: outcomeOf([submitted]),
    order: toSend,
    prepared: preparation.prepared,
    leaseEpoch: passage.leaseEpoch,
  };
}

/** Whether the deployment that raised an order keeps it from leaving. Pure. */
export function isFenced({ deployment_id, side }: OrderRow, fence: Fence | undefined | null): boolean {
  if (deployment_id === null) return false;
  if (fence == null || fence.ended_at !== null) return true;
  return fence.halted === true && side === 'buy';
}

const brokerOrderOf = (order: OrderRow, { accountId, mode, now }: Doing & BooksKey): BrokerOrder => ({
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

/** A sent order without an answer becomes one that only the venue can tell about; null for any other. */
export function loseAnswer(order: OrderRow, reason: string, { actor, now }: Doing): Outcome | null {
  if (order.status !== 'submitted') return null;
  const why = whyAfter(order, { reasonCode: 'answer_lost', reason }, 'unknown');
  return outcomeOf([stepTo(order, 'unknown', { at: now, actor, ...why })]);
}

/** The end of an order that its venue proved never to have received; null for one that is not unknown any more. */
export const neverArrived = (order: OrderRow, { actor, now }: Doing): Outcome | null =>
  order.status === 'unknown'
    ? outcomeOf([
        stepTo(order, 'rejected', {
          at: now,
          actor,
          reasonCode: 'never_arrived',
          reason: 'The venue never received it.',
        }),
      ])
    : null;

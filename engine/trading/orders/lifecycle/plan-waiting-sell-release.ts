import type { AuditEntry } from '../../../platform/audit/audit.ts';
import { exact } from '../../../platform/decimal.ts';
import type { InstrumentRow, OrderRow } from '../row.ts';
import { type Reduced, reduceWaitingClose, type WaitingDraw } from '../terms/reduce-waiting-close.ts';
import {
  type DecisionOutcome,
  decisionOutcomeOf,
  type OrderChange,
  planFieldChange,
} from './order-change.ts';
import { type ActionContext, canceledFor, planCancel } from './plan-cancel.ts';

const REASON = canceledFor('The blueprint sells this position now, so this sell is not needed any more.');

/** A sell that waits for approval, with its allocations in sequence. */
export type WaitingSell = { readonly order: OrderRow; readonly allocations: readonly WaitingDraw[] };

export type BlueprintExit = { readonly instrument: InstrumentRow; readonly blueprintId: string };

/**
 * Removes a blueprint's position in an instrument from the sells that wait for approval: the blueprint's own exit takes
 * precedence. Holdings of other blueprints stay in them; a sell without any is canceled.
 */
export function planWaitingSellRelease(
  waiting: readonly WaitingSell[],
  { instrument, blueprintId }: BlueprintExit,
  doing: ActionContext,
): DecisionOutcome {
  const changes: OrderChange[] = [];
  const audits: AuditEntry[] = [];
  for (const { order, allocations } of waiting) {
    const own = allocations.filter((each) => each.blueprintId === blueprintId && each.amount.gt(0));
    if (own.length === 0) continue;
    const reduced = reduceWaitingClose(order, allocations, blueprintId, instrument);
    const change = reduced === null ? planCancel(order, REASON, doing) : reduce(order, reduced, own, doing);
    if (change === null) continue;
    changes.push(change);
    if (reduced !== null) audits.push(auditOf(order, reduced, blueprintId, doing));
  }
  return decisionOutcomeOf(changes, audits);
}

/** Reduces the order: it no longer draws on the blueprint's positions. */
const reduce = (
  order: OrderRow,
  { amount, size, maxFee }: Reduced,
  own: readonly WaitingDraw[],
  { now }: ActionContext,
): OrderChange =>
  planFieldChange(
    order,
    now,
    { amount, size, worst_fee: maxFee },
    own.map(({ positionId }) => positionId),
  );

const auditOf = (order: OrderRow, reduced: Reduced, soldBy: string, { now }: ActionContext): AuditEntry => ({
  action: 'order.reduced',
  subjectId: order.id,
  before: factsOf({ amount: order.amount, size: order.size, maxFee: order.worst_fee }),
  after: { ...factsOf(reduced), soldBy },
  at: now,
});

const factsOf = ({ amount, size, maxFee }: Reduced) => ({
  amount: exact(amount).toFixed(),
  size: exact(size).toFixed(),
  worstFee: exact(maxFee).toFixed(),
});

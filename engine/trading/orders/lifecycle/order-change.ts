import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { AuditEntry } from '../../../platform/audit/audit.ts';
import type { AccountEvent } from '../../../platform/events/events.ts';
import { isAllowedTransition, isFinal } from '../../../platform/order-states.ts';
import { orderChangedEvent } from '../order-changed-event.ts';
import type { OrderRow } from '../row.ts';

/** Effect of a decision on one order. Times are ISO 8601, as in rows. */
export type OrderChange = {
  /** The order before the decision. */
  readonly before: OrderRow;
  readonly set: Partial<OrderRow>;
  /** Entry of its log, if its status changes. */
  readonly step: { readonly to: OrderStatus; readonly actor: string; readonly reason: string | null } | null;
  /** Positions that it no longer draws on. */
  readonly released: readonly string[];
};

/** Reason of an order's status, machine-readable and in words. */
export type StatusReason = { readonly reasonCode?: string; readonly reason?: string };

export type StatusStep = StatusReason & {
  readonly at: Date;
  /** Actor of the step. */
  readonly actor: string;
  readonly set?: Partial<OrderRow>;
};

/**
 * Builds the step of an order to another status, and replaces the reason of the previous status.
 *
 * @throws Error if the transition is not allowed, which is a bug.
 */
export function planStatusChange(
  before: OrderRow,
  to: OrderStatus,
  { at, actor, reasonCode, reason, set }: StatusStep,
): OrderChange {
  if (!isAllowedTransition(before.status, to)) {
    throw new Error(`Order ${before.id} is ${before.status}: there is no step from there to ${to}.`);
  }
  return {
    before,
    set: {
      ...(isFinal(to) ? { ended_at: at.toISOString() } : { expires_at: null }),
      reason_code: reasonCode ?? null,
      reason: reason ?? null,
      ...set,
      status: to,
      updated_at: at.toISOString(),
    },
    step: { to, actor, reason: reason ?? null },
    released: [],
  };
}

/** Builds a change that keeps the order's status. */
export const planFieldChange = (
  before: OrderRow,
  at: Date,
  set: Partial<OrderRow>,
  released: readonly string[] = [],
): OrderChange => ({ before, set: { ...set, updated_at: at.toISOString() }, step: null, released });

/** Returns the order after a change. */
export const withOrderChange = ({ before, set }: OrderChange): OrderRow => ({
  ...before,
  ...set,
  version: before.version + 1,
});

/** Effects of a decision: changes of orders, audit records and events, each in sequence. */
export type DecisionOutcome = {
  readonly changes: readonly OrderChange[];
  readonly audits: readonly AuditEntry[];
  readonly events: readonly AccountEvent[];
};

/** Builds the outcome of changes, by default without audit records. */
export const decisionOutcomeOf = (
  changes: readonly OrderChange[],
  audits: readonly AuditEntry[] = [],
): DecisionOutcome => ({
  changes,
  audits,
  events: changes.map(({ before, set }) => orderChangedEvent(before, set.status)),
});

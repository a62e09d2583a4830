import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { AuditEntry } from '../../../platform/audit/audit.ts';
import type { AccountEvent } from '../../../platform/events/events.ts';
import { isEdge, isFinal } from '../../../platform/order-states.ts';
import { orderChanged } from '../events.ts';
import type { OrderRow } from '../row.ts';

/** What a decision does to one order. Times in it are ISO 8601, as rows have them. */
export type OrderChange = {
  /** The order as the decision found it. */
  readonly before: OrderRow;
  readonly set: Partial<OrderRow>;
  /** The line of its log, where its status changes. */
  readonly step: { readonly to: OrderStatus; readonly actor: string; readonly reason: string | null } | null;
  /** Positions it draws on no more. */
  readonly released: readonly string[];
};

/** Why an order is in a status, machine-readable and in words. */
export type Reason = { readonly reasonCode?: string; readonly reason?: string };

export type Step = Reason & {
  readonly at: Date;
  /** Who takes the step. */
  readonly actor: string;
  readonly set?: Partial<OrderRow>;
};

/**
 * The step of an order to another status. What was said of the status before is over.
 *
 * @throws Error if the table has no such edge: that is a bug.
 */
export function stepTo(
  before: OrderRow,
  to: OrderStatus,
  { at, actor, reasonCode, reason, set }: Step,
): OrderChange {
  if (!isEdge(before.status, to)) {
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

/** A change that leaves the order in its status. */
export const amend = (
  before: OrderRow,
  at: Date,
  set: Partial<OrderRow>,
  released: readonly string[] = [],
): OrderChange => ({ before, set: { ...set, updated_at: at.toISOString() }, step: null, released });

/** The order after a change. */
export const changed = ({ before, set }: OrderChange): OrderRow => ({
  ...before,
  ...set,
  version: before.version + 1,
});

/** What a decision does to orders, what it leaves in the audit trail and what it tells, each in its order. */
export type Outcome = {
  readonly changes: readonly OrderChange[];
  readonly audits: readonly AuditEntry[];
  readonly events: readonly AccountEvent[];
};

/** The outcome of changes that leave nothing in the audit trail unless said. */
export const outcomeOf = (changes: readonly OrderChange[], audits: readonly AuditEntry[] = []): Outcome => ({
  changes,
  audits,
  events: changes.map((change) => orderChanged(changed(change))),
});

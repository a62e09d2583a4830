import { isFinal } from '../../platform/order-states.ts';
import type { BookedOrder } from '../rebuilt-books.ts';
import type { LedgerOrderRow, Report, StepRow } from '../rows.ts';

/** Checks an order's own fields except amounts: each moment, reason and name is that of one of its steps. */
export function checkOrderAgainstTransitions(
  { row, steps }: Pick<BookedOrder, 'row' | 'steps'>,
  report: Report,
): void {
  const taken = steps.toSorted((a, b) => a.number - b.number);
  const compare = (field: string, expected: string | null, actual: string | null) => {
    if (expected !== actual) report('trade_order', row.id, field, expected ?? 'none', actual ?? 'none');
  };
  const at = (status: string) => instantOf(taken.findLast((step) => step.to_status === status)?.at);
  compare('approvedBy', approverOf(row, taken), row.approved_by);
  compare('queuedAt', at('queued'), instantOf(row.queued_at));
  const last = taken.at(-1);
  const end = last !== undefined && isFinal(last.to_status) ? last : null;
  compare('endedAt', instantOf(end?.at), instantOf(row.ended_at));
  if (last?.digest != null) compare('expiresAt', instantOf(last.expires_at), instantOf(row.expires_at));
  // Before its end an order also states why its cancel was requested, which is no step.
  if (end !== null) compare('reason', end.reason, row.reason);
}

/** The approver: the actor who took the order out of `pending`, or the requester whose request was its own approval. */
function approverOf(row: LedgerOrderRow, taken: readonly StepRow[]): string | null {
  const approval = taken.find(
    ({ from_status, to_status }) => from_status === 'pending' && to_status === 'queued',
  );
  const [creation] = taken;
  if (approval !== undefined) return approval.actor;
  return row.approved_by !== null && creation?.to_status === 'queued' ? creation.actor : null;
}

const instantOf = (moment: string | null | undefined): string | null =>
  moment == null ? null : new Date(moment).toISOString();

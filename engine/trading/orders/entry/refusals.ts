import { DomainError } from '../../../platform/errors.ts';
import type { Decision, Denial } from '../../../risk/decide.ts';
import type { OrderRow } from '../row.ts';

/** Builds the error of a denial: the rule's name, limit and value, and the order that carries the receipt. */
export function ruleViolatedError(denial: Denial, orderId: string): DomainError {
  const { code, message } = denial;
  return new DomainError('risk_rule_violated', `${message} Order ${orderId} has the whole receipt.`, {
    issues: [{ path: '', code, message }],
  });
}

/** Throws for an order that a rule denied at creation. Call after the commit: the order and its receipt stay. */
export function refuseDenied(order: Pick<OrderRow, 'id' | 'status' | 'reason' | 'reason_code'>): void {
  if (order.status !== 'denied') return;
  const message = order.reason ?? 'A risk rule denied the order.';
  throw new DomainError(
    'risk_rule_violated',
    `${message} Order ${order.id} was denied and has the whole receipt.`,
    {
      issues: [{ path: '', code: order.reason_code ?? 'denied', message }],
    },
  );
}

/** Throws unless every rule passes. */
export function refuseUnlessQueued({ verdict, denial }: Decision, orderId: string): void {
  if (denial !== null) throw ruleViolatedError(denial, orderId);
  if (verdict !== 'queued') throw new Error(`Order ${orderId} was approved and still waits for approval.`);
}

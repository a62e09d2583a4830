import { isSessionActor } from '../../platform/audit/session-actor.ts';
import { isAllowedTransition } from '../../platform/order-states.ts';
import type { Receipt } from '../../risk/receipt.ts';
import type { Approval } from '../../risk/risk-inputs.ts';
import type { BookedOrder } from '../rebuilt-books.ts';
import type { LedgerOrderRow, Report, StepRow } from '../rows.ts';
import { isLegacyReceipt } from './legacy-receipt.ts';
import { storedReceipt } from './stored-receipt.ts';

/** Checks that a step starts in the status where the one before it ended, along an existing edge. */
export function checkTransition(order: BookedOrder, step: StepRow, report: Report): void {
  const { id } = order.row;
  if (step.from_status !== order.status || !isAllowedTransition(order.status, step.to_status)) {
    report(
      'order_transition',
      id,
      `step ${step.number}`,
      `a step from ${order.status ?? 'creation'}`,
      `${step.from_status ?? 'creation'} to ${step.to_status}`,
    );
  }
  if (step.number !== order.steps.length + 1) {
    report('order_transition', id, 'number', String(order.steps.length + 1), String(step.number));
  }
}

/** The decision that a step carries out: the creation of an order, or its approval. */
export function decisionOfTransition(
  { row }: Pick<BookedOrder, 'row'>,
  { from_status, to_status, actor }: StepRow,
  report: Report,
): { receipt: Receipt; approval: Approval } | null {
  const isCreation = from_status === null;
  if (!isCreation && to_status !== 'queued') return null;
  const [field, stored] = isCreation ? ['receipt', row.receipt] : ['approvalReceipt', row.approval_receipt];
  const receipt = storedReceipt(stored);
  if (receipt === null) {
    const expected = isCreation ? 'the receipt of its decision' : 'the receipt of its approval';
    report('trade_order', row.id, field as string, expected, stored === null ? 'missing' : 'not a receipt');
    return null;
  }
  return { receipt, approval: isCreation ? approvalAtCreation(row, receipt, actor) : { by: 'person' } };
}

/** An exit carries the release that approved it; a sell that a web session requested is its own approval. */
function approvalAtCreation(
  { origin, side, preapproved_release: release }: LedgerOrderRow,
  receipt: Receipt,
  actor: string,
): Approval {
  if (release !== null) return { by: 'deploy', release };
  const approvesItself =
    origin === 'manual' && side === 'sell' && isSessionActor(actor) && !isLegacyReceipt(receipt);
  return approvesItself ? { by: 'request' } : { by: 'nobody' };
}

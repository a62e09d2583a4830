import type { AuditEntry } from '../../../platform/audit/audit.ts';
import { exact } from '../../../platform/decimal.ts';
import type { OrderRow } from '../row.ts';
import { type FreeHolding, totalHeld } from '../terms/allocate.ts';
import { firstHoldingToClose } from '../terms/first-holding-to-close.ts';
import type { ProposedIntent } from './proposed-intent.ts';

/** Request to close a position. `amount` is a decimal string above 0. Without `blueprintId` it draws on all positions. */
export type CloseRequest = { tokenId: string; amount: string; blueprintId?: string };

/**
 * Builds the intent of a close. It belongs to the blueprint of the first position it draws on. Pure.
 *
 * @param holdings positions that the close may draw on, oldest first
 * @throws DomainError `not_found` without such a position, `validation_failed` for more than is held and free.
 */
export const planClose = (
  { tokenId, amount, blueprintId }: CloseRequest,
  holdings: readonly FreeHolding[],
): ProposedIntent => ({
  origin: 'manual',
  blueprintId: firstHoldingToClose(holdings, amount).blueprintId,
  tokenId,
  side: 'sell',
  type: 'market',
  timeInForce: 'ioc',
  amount,
  inputs: null,
  allocate: blueprintId === undefined ? 'account' : 'blueprint',
});

/** Builds the audit record of a close. */
export const closeRequested = (order: OrderRow, holdings: readonly FreeHolding[], at: Date): AuditEntry => ({
  action: 'position.close_requested',
  subjectId: order.id,
  before: { tokenId: order.token_id, held: totalHeld(holdings).toFixed() },
  after: { amount: exact(order.amount).toFixed(), status: order.status },
  at,
});

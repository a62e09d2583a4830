import type { AuditEntry } from '../../../platform/audit/audit.ts';
import { exact } from '../../../platform/decimal.ts';
import type { OrderRow } from '../row.ts';
import { type FreeHolding, totalHeld } from '../terms/allocate.ts';
import { allocateClose } from '../terms/allocate-close.ts';
import type { ProposedIntent } from './intent.ts';

/** `amount` is a decimal string above 0. Without `blueprintId` it draws on all positions in the instrument. */
export type CloseRequest = { tokenId: string; amount: string; blueprintId?: string };

/**
 * The intent that a close is: of the blueprint of the first position it draws on. Pure.
 *
 * @param holdings those the close may draw on, oldest first
 * @throws DomainError `not_found` without such a position, `validation_failed` for more than is held and free.
 */
export const closeOf = (
  { tokenId, amount, blueprintId }: CloseRequest,
  holdings: readonly FreeHolding[],
): ProposedIntent => ({
  origin: 'manual',
  blueprintId: allocateClose(holdings, amount).blueprintId,
  tokenId,
  side: 'sell',
  type: 'market',
  timeInForce: 'ioc',
  amount,
  inputs: null,
  allocate: blueprintId === undefined ? 'account' : 'blueprint',
});

/** What a close leaves in the audit trail. */
export const closeRequested = (order: OrderRow, holdings: readonly FreeHolding[], at: Date): AuditEntry => ({
  action: 'position.close_requested',
  subjectId: order.id,
  before: { tokenId: order.token_id, held: totalHeld(holdings).toFixed() },
  after: { amount: exact(order.amount).toFixed(), status: order.status },
  at,
});

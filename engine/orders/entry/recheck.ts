import type { Work } from '../../context.ts';
import { type Exact, exact, ZERO } from '../../decimal.ts';
import { aggregatesOf, type Basis } from '../../risk/basis.ts';
import { type Decision, decide } from '../../risk/decide.ts';
import { readBasis } from '../../risk/read-basis.ts';
import { type Receipt, writeReceipt } from '../../risk/receipt.ts';
import { loadOrder } from '../load.ts';
import { readHoldings } from '../read/holdings.ts';
import type { OrderRow } from '../row.ts';
import { freeOfAllocated, refuseUnlessPending } from './approval-checks.ts';

/** The second look: the same rules as at the proposal, without counting the order against itself. */
export async function recheck(
  work: Work,
  order: OrderRow,
  now: Date,
  by: 'person' | 'nobody',
): Promise<{ basis: Basis; decision: Decision }> {
  const basis = await readBasis(work, { now, leaveOut: order.id });
  const decision = decide(
    basis.rules,
    aggregatesOf(basis, await stillFree(work, order, now), now),
    {
      tokenId: order.token_id,
      side: order.side,
      amount: exact(order.amount),
      size: exact(order.size),
      worstFee: exact(order.worst_fee),
      approval: { by },
    },
    now,
  );
  return { basis, decision };
}

/**
 * What an approval of a pending order would see now, without any effect. That it waits for a person is still so.
 *
 * @throws DomainError `not_found`, `intent_expired`, `intent_not_pending`.
 */
export async function approvalPreview(work: Work, id: string): Promise<Receipt> {
  const now = await work.clock(work.db);
  const order = await loadOrder(work, id);
  refuseUnlessPending(order, now);
  const { basis, decision } = await recheck(work, order, now, 'nobody');
  return writeReceipt(basis, decision, now);
}

/** How much of what the sell was shown to draw on is free now, position by position. */
async function stillFree(work: Work, order: OrderRow, now: Date): Promise<Exact> {
  if (order.side === 'buy') return ZERO;
  const allocations = await work.db
    .selectFrom('order_allocation')
    .select(['position_id', 'amount'])
    .where('account_id', '=', work.accountId)
    .where('order_id', '=', order.id)
    .execute();
  const holdings = await readHoldings(work, {
    tokenId: order.token_id,
    blueprintId: null,
    now,
    leaveOut: order.id,
  });
  return freeOfAllocated(allocations, holdings);
}

import { exact, sumOf } from '../../platform/decimal.ts';
import type { BookedOrder, RebuiltBooks } from '../rebuilt-books.ts';
import type { Report } from '../rows.ts';

/**
 * Checks the allocations of a sell: at most its amount, in its instrument, and in its own blueprint unless a person closes.
 */
export function checkSellAllocations(
  { row, allocations }: Pick<BookedOrder, 'row' | 'allocations'>,
  { positions }: Pick<RebuiltBooks, 'positions'>,
  report: Report,
): void {
  const reserved = sumOf(allocations.map(({ amount }) => amount));
  if (reserved.gt(row.amount))
    report(
      'order_allocation',
      row.id,
      'amount',
      `${exact(row.amount).toFixed()} or less`,
      reserved.toFixed(),
    );
  for (const { position_id } of allocations) {
    const position = positions.get(position_id);
    if (position === undefined) continue;
    const { tokenId, blueprintId } = position;
    if (tokenId !== row.token_id)
      report('order_allocation', row.id, `tokenId of ${position_id}`, row.token_id, tokenId);
    if (row.origin !== 'manual' && blueprintId !== row.blueprint_id)
      report('order_allocation', row.id, `blueprintId of ${position_id}`, row.blueprint_id, blueprintId);
  }
}

import type { Work } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { ordersOf } from '../load.ts';
import type { WaitingSell } from './plan-waiting-sell-release.ts';

/** Reads sells of these instruments that wait for approval, oldest first, with allocations. Call under the account's lock. */
export async function readWaitingSells(tx: Work, tokenIds: readonly string[]): Promise<WaitingSell[]> {
  const orders = await ordersOf(tx)
    .where('status', '=', 'pending')
    .where('side', '=', 'sell')
    .where('token_id', 'in', tokenIds)
    .orderBy('id')
    .execute();
  if (orders.length === 0) return [];
  const allocations = await tx.db
    .selectFrom('order_allocation as a')
    .innerJoin('position as p', (join) =>
      join.onRef('p.account_id', '=', 'a.account_id').onRef('p.id', '=', 'a.position_id'),
    )
    .select(['a.order_id', 'a.position_id', 'p.blueprint_id', 'a.amount'])
    .where('a.account_id', '=', tx.accountId)
    .where(
      'a.order_id',
      'in',
      orders.map(({ id }) => id),
    )
    .orderBy('a.number')
    .execute();
  return orders.map((order) => ({
    order,
    allocations: allocations
      .filter(({ order_id }) => order_id === order.id)
      .map((row) => ({
        positionId: row.position_id,
        blueprintId: row.blueprint_id,
        amount: exact(row.amount),
      })),
  }));
}

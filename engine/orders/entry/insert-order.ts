import type { Work } from '../../context.ts';
import { isEdge } from '../../order-states.ts';
import type { OrderRow } from '../row.ts';
import type { Allocation } from '../terms/allocate.ts';

/** Stores a decided intent, the first line of its log and what it would draw on. Call under the account's lock. */
export async function insertOrder(
  tx: Work,
  order: OrderRow,
  allocations: readonly Allocation[],
): Promise<OrderRow> {
  if (!isEdge(null, order.status)) throw new Error(`No order starts ${order.status}.`);
  const { db } = tx;
  const inserted = await db
    .with('inserted', (insert) =>
      insert
        .insertInto('trade_order')
        .values({
          ...order,
          account_id: tx.accountId,
          receipt: JSON.stringify(order.receipt),
          inputs: JSON.stringify(order.inputs),
          decided_quote: JSON.stringify(order.decided_quote),
        })
        .returningAll(),
    )
    .with('logged', (insert) =>
      insert
        .insertInto('order_transition')
        .columns(['account_id', 'order_id', 'number', 'to_status', 'at', 'expires_at', 'actor', 'reason'])
        .expression((eb) =>
          eb
            .selectFrom('inserted')
            .select([
              'inserted.account_id',
              'inserted.id as order_id',
              eb.lit(1).as('number'),
              'inserted.status as to_status',
              'inserted.created_at as at',
              'inserted.expires_at',
              eb.val(tx.actor).as('actor'),
              'inserted.reason',
            ]),
        ),
    )
    .selectFrom('inserted')
    .selectAll()
    .executeTakeFirstOrThrow();
  if (allocations.length > 0) {
    await db
      .insertInto('order_allocation')
      .values(
        allocations.map(({ positionId, amount }, index) => ({
          account_id: tx.accountId,
          order_id: inserted.id,
          number: index + 1,
          position_id: positionId,
          amount: amount.toFixed(),
        })),
      )
      .execute();
  }
  return inserted;
}

import type { Insertable } from 'kysely';
import type { Database } from '../../db/tables.ts';
import { dbOf, type Work } from '../context.ts';
import type { Allocation } from './allocate.ts';
import type { OrderRow } from './row.ts';
import { isEdge } from './states.ts';

export type NewOrder = Omit<Insertable<Database['trade_order']>, 'account_id'>;

/** Stores a decided intent, the first line of its log and what it would draw on. Call under the account's lock. */
export async function insertOrder(
  tx: Work,
  order: NewOrder,
  allocations: readonly Allocation[],
): Promise<OrderRow> {
  if (!isEdge(null, order.status)) throw new Error(`No order is born ${order.status}.`);
  const db = dbOf(tx);
  const born = await db
    .with('born', (insert) =>
      insert
        .insertInto('trade_order')
        .values({ ...order, account_id: tx.accountId })
        .returningAll(),
    )
    .with('logged', (insert) =>
      insert
        .insertInto('order_transition')
        .columns(['account_id', 'order_id', 'number', 'to_status', 'at', 'expires_at', 'actor', 'reason'])
        .expression((eb) =>
          eb
            .selectFrom('born')
            .select([
              'born.account_id',
              'born.id as order_id',
              eb.lit(1).as('number'),
              'born.status as to_status',
              'born.created_at as at',
              'born.expires_at',
              eb.val(tx.actor).as('actor'),
              'born.reason',
            ]),
        ),
    )
    .selectFrom('born')
    .selectAll()
    .executeTakeFirstOrThrow();
  if (allocations.length > 0) {
    await db
      .insertInto('order_allocation')
      .values(
        allocations.map(({ positionId, amount }, index) => ({
          account_id: tx.accountId,
          order_id: born.id,
          number: index + 1,
          position_id: positionId,
          amount: amount.toFixed(),
        })),
      )
      .execute();
  }
  return born;
}

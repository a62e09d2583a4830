import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { isEdge } from '../../order-states.ts';
import type { ComposedOrder } from './compose.ts';

/**
 * Stores decided intents, of one account or of several, as `insertOrder` does one: each with the first line of its log and
 * what it would draw on, in the order given. Call under the locks of their accounts.
 */
export async function insertOrders(db: Db, composed: readonly ComposedOrder[], actor: string): Promise<void> {
  const [first] = composed;
  if (first === undefined) return;
  for (const { order } of composed) {
    if (!isEdge(null, order.status)) throw new Error(`No order starts ${order.status}.`);
  }
  const columns = sql.join(Object.keys(first.order).map((column) => sql.ref(column)));
  await sql`
    with inserted as (
      insert into trade_order (${columns})
      select ${columns} from json_populate_recordset(null::trade_order, ${JSON.stringify(composed.map(({ order }) => order))})
      returning account_id, id, status, created_at, expires_at, reason
    )
    insert into order_transition (account_id, order_id, number, to_status, at, expires_at, actor, reason)
    select account_id, id, 1, status, created_at, expires_at, ${actor}, reason from inserted`.execute(db);
  await insertAllocations(db, composed);
}

async function insertAllocations(db: Db, composed: readonly ComposedOrder[]): Promise<void> {
  const rows = composed.flatMap(({ order, allocations }) =>
    allocations.map(({ positionId, amount }, index) => ({
      account_id: order.account_id,
      order_id: order.id,
      number: index + 1,
      position_id: positionId,
      amount: amount.toFixed(),
    })),
  );
  if (rows.length === 0) return;
  await db.insertInto('order_allocation').values(rows).execute();
}

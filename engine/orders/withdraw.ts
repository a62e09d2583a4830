import { sql } from 'kysely';
import { dbOf, type Work } from '../context.ts';
import { recordEvents } from '../events.ts';
import { endOrAskBack } from './cancel.ts';
import { orderChanged } from './events.ts';
import type { OrderRow } from './row.ts';

const REASON = 'The blueprint sells this position now, so this sell is not needed any more.';

/**
 * Cancels the sells that wait for approval and would draw on a blueprint's position in an instrument: what gets the
 * blueprint out of it goes first. Call under the account's lock.
 */
export async function withdrawUnapprovedSells(
  tx: Work,
  { tokenId, blueprintId, now }: { tokenId: string; blueprintId: string; now: Date },
): Promise<void> {
  const { rows } = await sql<OrderRow>`
    select o.* from trade_order o
    where o.account_id = ${tx.accountId} and o.status = 'pending' and o.side = 'sell' and o.token_id = ${tokenId}
      and exists (
        select from order_allocation a
        join position p on p.account_id = a.account_id and p.id = a.position_id
        where a.account_id = o.account_id and a.order_id = o.id and p.blueprint_id = ${blueprintId})
    order by o.id`.execute(dbOf(tx));
  const events = [];
  for (const order of rows) {
    const canceled = await endOrAskBack(tx, order, now, REASON);
    if (canceled !== null) events.push(orderChanged(canceled));
  }
  await recordEvents(tx, now, events);
}

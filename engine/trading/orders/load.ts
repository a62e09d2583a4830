import { sql } from 'kysely';
import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { LIVE_STATUSES } from '../../platform/order-states.ts';
import { statusList } from '../../platform/sql-fragments.ts';
import type { OrderRow } from './row.ts';

/** Selects the account's orders in the mode of the work. */
export const ordersOf = ({ db, accountId, mode }: Work) =>
  db.selectFrom('trade_order').selectAll().where('account_id', '=', accountId).where('mode', '=', mode);

/** Selects those that have not ended, oldest first. */
export const liveOrdersOf = (work: Work) =>
  ordersOf(work)
    .where(sql<boolean>`status in ${statusList(LIVE_STATUSES)}`)
    .orderBy('id');

/** Loads the account's order. @throws DomainError `not_found`, also for an order of another account or mode. */
export async function loadOrder(work: Work, id: string): Promise<OrderRow> {
  const order = await ordersOf(work).where('id', '=', id).executeTakeFirst();
  if (order === undefined) throw notFound();
  return order;
}

import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { OrderRow } from './row.ts';

/** Loads the account's order. @throws DomainError `not_found`, also for an order of another account or mode. */
export async function loadOrder(work: Work, id: string): Promise<OrderRow> {
  const order = await work.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('mode', '=', work.mode)
    .where('id', '=', id)
    .executeTakeFirst();
  if (order === undefined) throw notFound();
  return order;
}

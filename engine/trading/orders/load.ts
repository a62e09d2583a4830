import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { OrderRow } from './row.ts';

/** The account's order. @throws DomainError `not_found` for a missing one, another account's and another mode's. */
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

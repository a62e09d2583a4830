import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { BooksKey } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';
import { booksInSql, isPastItsTimeInSql, statusList } from '../../../platform/sql-fragments.ts';

/** Units of one instrument that the live buys of one blueprint may still add; a decimal string. */
export type LiveBuys = BooksKey & { blueprintId: string; tokenId: string; amount: string };

/**
 * Sums the unfilled units of the blueprints' buys that can trade at `now` (database time), over all deployments. Buys that wait
 * for approval, or have a cancel request, count.
 */
export async function readUnfilledBuyUnits(
  db: Db,
  books: readonly BooksKey[],
  now: Date,
): Promise<LiveBuys[]> {
  type Row = { account_id: string; mode: Mode; blueprint_id: string; token_id: string; amount: string };
  const { rows } = await sql<Row>`
    select account_id, mode, blueprint_id, token_id, sum(amount - filled_amount) as amount
    from ${booksInSql(books)} join trade_order using (account_id, mode)
    where side = 'buy' and status in ${statusList(LIVE_STATUSES)} and not ${isPastItsTimeInSql(now)}
    group by account_id, mode, blueprint_id, token_id`.execute(db);
  return rows.map(({ account_id, mode, blueprint_id, token_id, amount }) => ({
    accountId: account_id,
    mode,
    blueprintId: blueprint_id,
    tokenId: token_id,
    amount: exact(amount).toFixed(),
  }));
}

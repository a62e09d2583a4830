import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { BooksKey } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { booksInSql, isDustInSql, reservedInSql } from '../../../platform/sql-fragments.ts';
import { averageCostOf } from '../../../platform/valuation.ts';
import type { Position } from '../../../strategy/graph/types.ts';

/** A position as input of its blueprint's graph. */
export type HeldPosition = BooksKey & { blueprintId: string; tokenId: string; position: Position };

type Row = {
  account_id: string;
  mode: Mode;
  blueprint_id: string;
  token_id: string;
  amount: string;
  total_cost: string;
  opened_at: string;
  reserved: string;
};

/**
 * Reads the positions of blueprints in these books, with the amounts that no cleared sell has reserved at `now`. `now` and
 * `openedAt` are database time. With real money dust is excluded: a graph could neither sell it nor buy again.
 */
export async function readHeldPositions(
  db: Db,
  books: readonly BooksKey[],
  now: Date,
): Promise<HeldPosition[]> {
  const { rows } = await sql<Row>`
    select account_id, mode, p.blueprint_id, p.token_id, p.amount, p.total_cost, p.opened_at,
      ${reservedInSql(now)} as reserved
    from ${booksInSql(books)} join position p using (account_id, mode)
      join instrument i on i.token_id = p.token_id left join quote q on q.token_id = p.token_id
    where p.amount > 0 and not (mode = 'live' and ${isDustInSql(sql`p.amount`, sql`p.total_cost`)})`.execute(
    db,
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    mode: row.mode,
    blueprintId: row.blueprint_id,
    tokenId: row.token_id,
    position: {
      amount: exact(row.amount).toFixed(),
      free: exact(row.amount).minus(row.reserved).toFixed(),
      averageCost: averageCostOf({ amount: exact(row.amount), totalCost: exact(row.total_cost) }).toFixed(),
      openedAt: Date.parse(row.opened_at),
    },
  }));
}

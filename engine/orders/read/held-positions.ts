import { sql } from 'kysely';
import type { Mode } from '../../../db/columns.ts';
import type { Db } from '../../../db/tables.ts';
import { exact } from '../../decimal.ts';
import type { Position } from '../../graph/types.ts';
import { RESERVING_STATUSES, statusList } from '../../order-states.ts';

/** A position as its blueprint's graph reads it. */
export type HeldPosition = { mode: Mode; blueprintId: string; tokenId: string; position: Position };

type Row = {
  mode: Mode;
  blueprint_id: string;
  token_id: string;
  amount: string;
  total_cost: string;
  opened_at: string;
  reserved: string;
};

/**
 * What the accounts' blueprints hold in every mode, and how much of it no cleared sell has reserved at `now`. `now` and `openedAt`
 * are database time.
 */
export async function readHeldPositions(
  db: Db,
  accountIds: readonly string[],
  now: Date,
): Promise<HeldPosition[]> {
  const { rows } = await sql<Row>`
    select p.mode, p.blueprint_id, p.token_id, p.amount, p.total_cost, p.opened_at,
      (select coalesce(sum(a.amount - a.filled_amount), 0)
        from order_allocation a
        join trade_order o on o.account_id = a.account_id and o.id = a.order_id
        where a.account_id = p.account_id and a.position_id = p.id
          and o.status in ${statusList(RESERVING_STATUSES)}
          and not (o.status = 'queued' and o.expires_at <= ${now})) as reserved
    from position p
    where p.account_id = any(${accountIds}::uuid[]) and p.amount > 0`.execute(db);
  return rows.map((row) => ({
    mode: row.mode,
    blueprintId: row.blueprint_id,
    tokenId: row.token_id,
    position: {
      amount: exact(row.amount).toFixed(),
      free: exact(row.amount).minus(row.reserved).toFixed(),
      averageCost: exact(row.total_cost).div(row.amount).toFixed(),
      openedAt: Date.parse(row.opened_at),
    },
  }));
}

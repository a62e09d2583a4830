import { sql } from 'kysely';
import type { Mode } from '../../../db/columns.ts';
import type { Db } from '../../../db/tables.ts';
import { exact } from '../../decimal.ts';
import { reservedInSql } from '../../fragments.ts';
import type { Position } from '../../graph/types.ts';

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
      ${reservedInSql(now)} as reserved
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

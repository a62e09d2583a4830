import { sql } from 'kysely';
import type { Work } from '../../context.ts';
import { exact } from '../../decimal.ts';
import { reservedInSql } from '../../fragments.ts';
import type { FreeHolding } from '../terms/allocate.ts';
import type { HoldingsQuery } from '../terms/free-holdings.ts';

type HoldingRow = { id: string; blueprint_id: string; amount: string; reserved: string };

/**
 * The positions a sell may draw on, oldest first, with what cleared sells have not reserved of each. Unapproved
 * sells reserve nothing: a wish must not keep anyone from getting out.
 */
export async function readHoldings(
  work: Work,
  { tokenId, blueprintId, now, leaveOut }: HoldingsQuery,
): Promise<FreeHolding[]> {
  const { rows } = await sql<HoldingRow>`
    select p.id, p.blueprint_id, p.amount,
      ${reservedInSql(now, leaveOut)} as reserved
    from position p
    where p.account_id = ${work.accountId} and p.mode = ${work.mode} and p.token_id = ${tokenId} and p.amount > 0
      and (${blueprintId}::uuid is null or p.blueprint_id = ${blueprintId}::uuid)
    order by p.opened_at, p.id`.execute(work.db);
  return rows.map(({ id, blueprint_id, amount, reserved }) => ({
    positionId: id,
    blueprintId: blueprint_id,
    held: exact(amount),
    free: exact(amount).minus(reserved),
  }));
}

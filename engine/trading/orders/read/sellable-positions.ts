import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { reservedInSql } from '../../../platform/sql-fragments.ts';
import type { FreeHolding } from '../terms/allocate.ts';
import type { HoldingsQuery } from '../terms/free-holdings.ts';

/** A position of an account with its free amount. */
export type SellablePosition = FreeHolding & { readonly accountId: string; readonly tokenId: string };

/** Selects accounts in one mode at one moment, and instruments. */
export type SellableQuery = {
  readonly accountIds: readonly string[];
  readonly mode: Mode;
  readonly now: Date;
  readonly tokenIds: readonly string[];
  /** An order whose own reservation does not count. */
  readonly leaveOut?: string | undefined;
};

/**
 * Reads the positions that sells may draw on, oldest first, each with the amount not reserved by cleared sells. Sells that wait
 * for approval reserve nothing, so that they cannot block an exit.
 */
export async function readSellablePositionsOf(
  db: Db,
  { accountIds, mode, now, tokenIds, leaveOut }: SellableQuery,
): Promise<SellablePosition[]> {
  const { rows } = await sql<Omit<SellablePosition, 'held' | 'free'> & Record<'amount' | 'reserved', string>>`
    select p.account_id as "accountId", p.id as "positionId", p.token_id as "tokenId", p.blueprint_id as "blueprintId", p.amount,
      ${reservedInSql(now, leaveOut)} as reserved
    from position p
    where p.account_id = any(${accountIds}::uuid[]) and p.mode = ${mode} and p.token_id = any(${tokenIds}::text[])
      and p.amount > 0
    order by p.opened_at, p.id`.execute(db);
  return rows.map(({ amount, reserved, ...position }) => ({
    ...position,
    held: exact(amount),
    free: exact(amount).minus(reserved),
  }));
}

/** Reads the holdings of one account and instrument, of one blueprint or of all. */
export async function readSellablePositions(
  { db, accountId, mode }: Work,
  { tokenId, blueprintId, now, leaveOut }: HoldingsQuery,
): Promise<SellablePosition[]> {
  const held = await readSellablePositionsOf(db, {
    accountIds: [accountId],
    mode,
    now,
    tokenIds: [tokenId],
    leaveOut,
  });
  return held.filter((each) => blueprintId === null || each.blueprintId === blueprintId);
}

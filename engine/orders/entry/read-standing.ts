import { type Selectable, sql } from 'kysely';
import type { Database, Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { exact } from '../../decimal.ts';
import { reservedInSql, statusList } from '../../fragments.ts';
import { LIVE_STATUSES } from '../../order-states.ts';
import { readBases } from '../../risk/read-basis.ts';
import type { Sell } from './fence.ts';
import type { HeldPosition, StandingFacts } from './standing.ts';

/** Of which accounts, in which mode, at which moment, and what they are to sell. */
export type StandingQuery = {
  readonly accountIds: readonly string[];
  readonly mode: Mode;
  readonly now: Date;
  /** Instruments that any of them is to sell. */
  readonly toSell: readonly string[];
};

/** How accounts stand, by account. Call under the locks of all of them. */
export async function readStandings(db: Db, query: StandingQuery): Promise<Map<string, StandingFacts>> {
  const { accountIds, mode, now, toSell } = query;
  const bases = await readBases(db, accountIds, mode, now);
  const held = toSell.length === 0 ? [] : await readHeld(db, query);
  const sells = toSell.length === 0 ? [] : await readLiveSells(db, query);
  return new Map(
    [...bases].map(([accountId, basis]) => [
      accountId,
      {
        basis,
        holdings: held.filter((each) => each.accountId === accountId),
        sells: sells.filter(({ account_id }) => account_id === accountId),
      },
    ]),
  );
}

type PositionRow = Pick<
  Selectable<Database['position']>,
  'account_id' | 'id' | 'token_id' | 'blueprint_id' | 'amount'
>;

async function readHeld(
  db: Db,
  { accountIds, mode, now, toSell }: StandingQuery,
): Promise<(HeldPosition & { accountId: string })[]> {
  const { rows } = await sql<PositionRow & { reserved: string }>`
    select p.account_id, p.id, p.token_id, p.blueprint_id, p.amount, ${reservedInSql(now)} as reserved
    from position p
    where p.account_id = any(${accountIds}::uuid[]) and p.mode = ${mode} and p.token_id = any(${toSell}::text[])
      and p.amount > 0
    order by p.opened_at, p.id`.execute(db);
  return rows.map(({ account_id, id, token_id, blueprint_id, amount, reserved }) => ({
    accountId: account_id,
    positionId: id,
    tokenId: token_id,
    blueprintId: blueprint_id,
    held: exact(amount),
    free: exact(amount).minus(reserved),
  }));
}

async function readLiveSells(
  db: Db,
  { accountIds, mode, toSell }: StandingQuery,
): Promise<(Sell & { account_id: string })[]> {
  const { rows } = await sql<Sell & { account_id: string }>`
    select account_id, id, status, expires_at, side, deployment_id, node_id, token_id
    from trade_order
    where account_id = any(${accountIds}::uuid[]) and mode = ${mode} and side = 'sell'
      and status in ${statusList(LIVE_STATUSES)} and token_id = any(${toSell}::text[])
    order by id`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { notFound } from '../../platform/errors.ts';
import { MARK_OR_ZERO, unrealizedInSql } from '../../platform/sql-fragments.ts';

/** Decimals are strings in USD. `realizedPnl` is after `fees`; `fills` counts trades and settlements. */
export type BlueprintPerformance = {
  realizedPnl: string;
  unrealizedPnl: string;
  fees: string;
  fills: number;
};

/** The unrealized result in USD, at stored marks. A holding without a mark is worth nothing. */
const UNREALIZED = sql`coalesce(sum(${unrealizedInSql(MARK_OR_ZERO)})
  filter (where p.amount > 0), 0)`;

/**
 * The result of one blueprint, over all its deployments.
 *
 * @throws DomainError `not_found`.
 */
export async function blueprintPerformance(work: Work, blueprintId: string): Promise<BlueprintPerformance> {
  const { rows } = await sql<{ realized: string; unrealized: string; fees: string; fills: number }>`
    select coalesce(sum(p.realized_pnl), 0) as realized, coalesce(sum(p.fees), 0) as fees,
      coalesce(sum(p.fill_count), 0)::int as fills,
      ${UNREALIZED} as unrealized
    from blueprint b
    left join position p on p.account_id = b.account_id and p.blueprint_id = b.id and p.mode = ${work.mode}
    left join quote q on q.token_id = p.token_id
    where b.account_id = ${work.accountId} and b.id = ${blueprintId} and b.deleted_at is null
    group by b.id`.execute(work.db);
  const [row] = rows;
  if (row === undefined) throw notFound();
  return {
    realizedPnl: exact(row.realized).toFixed(),
    unrealizedPnl: exact(row.unrealized).toFixed(),
    fees: exact(row.fees).toFixed(),
    fills: row.fills,
  };
}

/** Decimal strings in USD. */
export type PnlOfBlueprint = {
  blueprintId: string;
  realizedPnl: string;
  unrealizedPnl: string;
  totalPnl: string;
};

/** The result of each blueprint that ever traded, in one statement. */
export async function pnlByBlueprint(work: Work): Promise<PnlOfBlueprint[]> {
  const { rows } = await sql<{ blueprint_id: string; realized: string; unrealized: string }>`
    select p.blueprint_id, sum(p.realized_pnl) as realized, ${UNREALIZED} as unrealized
    from position p left join quote q on q.token_id = p.token_id
    where p.account_id = ${work.accountId} and p.mode = ${work.mode}
    group by p.blueprint_id`.execute(work.db);
  return rows.map(({ blueprint_id, realized, unrealized }) => ({
    blueprintId: blueprint_id,
    realizedPnl: exact(realized).toFixed(),
    unrealizedPnl: exact(unrealized).toFixed(),
    totalPnl: exact(realized).plus(exact(unrealized)).toFixed(),
  }));
}

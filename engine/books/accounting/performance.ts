import { sql } from 'kysely';
import { toIso } from '../../platform/clock/timestamp-text.ts';
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

type ResultRow = { realized: string; unrealized: string; fees: string; fills: number };

/** The result of `position p`, unrealized at stored marks, in USD. A holding without a mark is worth nothing. */
const RESULT = sql`coalesce(sum(p.realized_pnl), 0) as realized, coalesce(sum(p.fees), 0) as fees,
  coalesce(sum(p.fill_count), 0)::int as fills,
  coalesce(sum(${unrealizedInSql(MARK_OR_ZERO)}) filter (where p.amount > 0), 0) as unrealized`;

const performanceOf = ({ realized, unrealized, fees, fills }: ResultRow): BlueprintPerformance => ({
  realizedPnl: exact(realized).toFixed(),
  unrealizedPnl: exact(unrealized).toFixed(),
  fees: exact(fees).toFixed(),
  fills,
});

/**
 * The result of one blueprint, over all its deployments.
 *
 * @throws DomainError `not_found`.
 */
export async function blueprintPerformance(work: Work, blueprintId: string): Promise<BlueprintPerformance> {
  const { rows } = await sql<ResultRow>`
    select ${RESULT}
    from blueprint b
    left join position p on p.account_id = b.account_id and p.blueprint_id = b.id and p.mode = ${work.mode}
    left join quote q on q.token_id = p.token_id
    where b.account_id = ${work.accountId} and b.id = ${blueprintId} and b.deleted_at is null
    group by b.id`.execute(work.db);
  const [row] = rows;
  if (row === undefined) throw notFound();
  return performanceOf(row);
}

/** The result of one blueprint, with its sum, and when its books last changed: by a trade, a settlement or a correction. */
export type BlueprintResult = BlueprintPerformance & {
  blueprintId: string;
  totalPnl: string;
  lastFillAt: string;
};

/** The result of each blueprint that ever traded, in one statement. */
export async function resultsByBlueprint(work: Work): Promise<BlueprintResult[]> {
  const { rows } = await sql<ResultRow & { blueprint_id: string; last_fill_at: string }>`
    select p.blueprint_id, max(p.updated_at) as last_fill_at, ${RESULT}
    from position p left join quote q on q.token_id = p.token_id
    where p.account_id = ${work.accountId} and p.mode = ${work.mode}
    group by p.blueprint_id`.execute(work.db);
  return rows.map(({ blueprint_id, last_fill_at, ...row }) => {
    const performance = performanceOf(row);
    const totalPnl = exact(performance.realizedPnl).plus(exact(performance.unrealizedPnl)).toFixed();
    return { blueprintId: blueprint_id, ...performance, totalPnl, lastFillAt: toIso(last_fill_at) };
  });
}

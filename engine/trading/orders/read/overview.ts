import { sql } from 'kysely';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Side } from '../../../../db/vocabulary.ts';
import { nowInSql } from '../../../platform/clock/now-in-sql.ts';
import type { Work } from '../../../platform/context.ts';
import { statusAtInSql } from '../../../platform/sql-fragments.ts';
import { likePattern } from '../../../platform/text.ts';
import { ORDER_COLUMNS, type OrderRead } from './order-columns.ts';

export type OverviewFilter = {
  limit: number;
  status?: OrderStatus | undefined;
  side?: Side | undefined;
  blueprintId?: string | undefined;
  /** Words in the title, the instrument, the blueprint's name or the id. */
  find?: string | undefined;
  /** Time of creation: `from` is inclusive, `to` exclusive. */
  from?: string | undefined;
  to?: string | undefined;
  sort?: OverviewSort | undefined;
  /** The last order of the previous page, in the same sorting. */
  after?: string | undefined;
};

export const OVERVIEW_SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export type OverviewSort = (typeof OVERVIEW_SORTS)[number];

const SORTED: Readonly<Record<OverviewSort, { column: 'created_at' | 'size'; direction: 'asc' | 'desc' }>> = {
  newest: { column: 'created_at', direction: 'desc' },
  oldest: { column: 'created_at', direction: 'asc' },
  largest: { column: 'size', direction: 'desc' },
  smallest: { column: 'size', direction: 'asc' },
};

const READ = Object.entries(ORDER_COLUMNS).flatMap(([name, { from }]) =>
  from === null ? [] : [[name, from] as const],
);

/**
 * Lists the account's orders with names, by default newest first. A pending or queued one past its time reads as `expired`.
 * Decimals are strings, times as the pool returns them.
 */
export async function orderOverview(work: Work, filter: OverviewFilter) {
  const now = await nowInSql(work);
  const status = statusAtInSql(now, 'o');
  const { column, direction } = SORTED[filter.sort ?? 'newest'];
  let query = work.db
    .selectFrom('trade_order as o')
    .innerJoin('instrument as i', 'i.token_id', 'o.token_id')
    .innerJoin('blueprint as b', (join) =>
      join.onRef('b.account_id', '=', 'o.account_id').onRef('b.id', '=', 'o.blueprint_id'),
    )
    .select([
      ...READ.map(([name, from]) => sql.ref(from).as(name)),
      'o.release_number as releaseNumber',
      'o.filled_notional as filledNotional',
      status.as('status'),
    ])
    .$castTo<OrderRead & { releaseNumber: number | null; filledNotional: string; status: OrderStatus }>()
    .where('o.account_id', '=', work.accountId)
    .where('o.mode', '=', work.mode)
    .orderBy(`o.${column}`, direction)
    .orderBy('o.id', direction)
    .limit(filter.limit);
  if (filter.status !== undefined) query = query.where(status, '=', filter.status);
  if (filter.side !== undefined) query = query.where('o.side', '=', filter.side);
  if (filter.blueprintId !== undefined) query = query.where('o.blueprint_id', '=', filter.blueprintId);
  if (filter.find !== undefined) {
    const words = likePattern(filter.find);
    query = query.where(
      sql<boolean>`(i.title ilike ${words} or o.token_id ilike ${words} or b.name ilike ${words} or o.id::text ilike ${words})`,
    );
  }
  if (filter.from !== undefined)
    query = query.where(sql<boolean>`o.created_at >= ${filter.from}::timestamptz`);
  if (filter.to !== undefined) query = query.where(sql<boolean>`o.created_at < ${filter.to}::timestamptz`);
  if (filter.after !== undefined) {
    const [by, than] = [sql.ref(column), sql.raw(direction === 'desc' ? '<' : '>')];
    // Compared inside the database: a size has more digits than a number of JSON.
    query = query.where(sql<boolean>`(o.${by}, o.id) ${than} (select l.${by}, l.id from trade_order l
      where l.account_id = ${work.accountId} and l.id = ${filter.after}::uuid)`);
  }
  return query.execute();
}

import { sql } from 'kysely';
import type { ORDER_ORIGINS, OrderStatus } from '../../../../db/entities/order.ts';
import type { Side } from '../../../../db/vocabulary.ts';
import { nowInSql } from '../../../platform/clock/now-in-sql.ts';
import type { Work } from '../../../platform/context.ts';
import { statusAtInSql } from '../../../platform/sql-fragments.ts';
import { likePattern } from '../../../platform/text.ts';

/** The order of a step that acted. Times as the pool returns them. */
export type StepOrder = {
  readonly id: string;
  readonly node_id: string;
  readonly release_number: number | null;
  readonly created_at: string;
  readonly origin: (typeof ORDER_ORIGINS)[number];
  readonly side: Side;
  readonly amount: string;
  readonly token_id: string;
  readonly title: string;
  readonly status: OrderStatus;
  readonly reason: string | null;
};

export type StepOrderFilter = {
  readonly limit: number;
  readonly nodeId?: string | undefined;
  /** Words in the step, the instrument or the reason. */
  readonly find?: string | undefined;
  /** `from` is inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Oldest first; default newest first. */
  readonly isAscending?: boolean | undefined;
  /** The last order of the previous page. */
  readonly after?: string | undefined;
};

/** Reads the orders that a blueprint's steps raised, with their status. */
export async function readStepOrders(
  work: Work,
  blueprintId: string,
  filter: StepOrderFilter,
): Promise<StepOrder[]> {
  const { limit, nodeId, find, from, to, isAscending = false, after } = filter;
  const direction = isAscending ? 'asc' : 'desc';
  let query = actsOf(work, blueprintId)
    .innerJoin('instrument as i', 'i.token_id', 'o.token_id')
    .select([
      'o.id',
      'o.node_id',
      'o.release_number',
      'o.created_at',
      'o.origin',
      'o.side',
      'o.amount',
      'o.token_id',
    ])
    .select(['i.title', 'o.reason', statusAtInSql(await nowInSql(work), 'o').as('status')])
    .orderBy('o.created_at', direction)
    .orderBy('o.id', direction)
    .limit(limit);
  if (nodeId !== undefined) query = query.where('o.node_id', '=', nodeId);
  if (find !== undefined) {
    const words = likePattern(find);
    query = query.where(
      sql<boolean>`concat_ws(' ', o.node_id, o.side, i.title, o.token_id, o.reason) ilike ${words}`,
    );
  }
  if (from !== undefined) query = query.where(sql<boolean>`o.created_at >= ${from}::timestamptz`);
  if (to !== undefined) query = query.where(sql<boolean>`o.created_at < ${to}::timestamptz`);
  if (after !== undefined) {
    const than = sql.raw(isAscending ? '>' : '<');
    query =
      query.where(sql<boolean>`(o.created_at, o.id) ${than} (select l.created_at, l.id from trade_order l
      where l.account_id = ${work.accountId} and l.id = ${after}::uuid)`);
  }
  const rows = await query.execute();
  return rows.flatMap(({ node_id, ...row }) => (node_id === null ? [] : [{ ...row, node_id }]));
}

/** Lists the steps of a blueprint that ever acted, by name. */
export async function namesOfActingSteps(work: Work, blueprintId: string): Promise<string[]> {
  const rows = await actsOf(work, blueprintId).select('o.node_id').distinct().orderBy('o.node_id').execute();
  return rows.flatMap(({ node_id }) => node_id ?? []);
}

const actsOf = ({ db, accountId, mode }: Work, blueprintId: string) =>
  db
    .selectFrom('trade_order as o')
    .where('o.account_id', '=', accountId)
    .where('o.mode', '=', mode)
    .where('o.blueprint_id', '=', blueprintId)
    .where('o.node_id', 'is not', null);

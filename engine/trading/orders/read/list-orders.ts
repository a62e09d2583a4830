import { sql } from 'kysely';
import { compileOnce } from '../../../../db/compiled.ts';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Mode, Side } from '../../../../db/vocabulary.ts';
import { databaseClock, type Work } from '../../../platform/context.ts';
import { momentInSql, numberInSql, objectInSql, wordInSql } from '../../../platform/json-in-sql.ts';
import { statusAtInSql } from '../../../platform/sql-fragments.ts';

/** Position of an order in a list, newest first. */
export type OrderPosition = { createdAt: string; id: string };

/** Filter of a list of orders. `after` is the last order of the previous page. */
export type OrderFilter = {
  /** The most orders, up to 1,000. */
  limit: number;
  after: OrderPosition | null;
  status?: OrderStatus | undefined;
  side?: Side | undefined;
  blueprintId?: string | undefined;
  /** From this moment on, inclusive. */
  since?: Date | undefined;
  /** Up to this moment, exclusive. */
  until?: Date | undefined;
};

/** A page as JSON text; `last` is its last order if more orders follow. */
export type OrderPage = { json: string; last: OrderPosition | null };

/** Lists the account's orders, newest first. A pending or queued one past its time reads as `expired`. */
export async function listOrders(work: Work, { limit, after, ...filters }: OrderFilter): Promise<OrderPage> {
  const { db, accountId, mode, clock } = work;
  const fetched = READS.find(({ size }) => size > limit);
  if (fetched === undefined) throw new Error(`A page of ${limit} orders is too long.`);
  const now = clock === databaseClock ? undefined : await clock(db);
  const position = { after: after?.createdAt, afterId: after?.id };
  const [row] = await fetched.read(db, { accountId, mode, limit, now, ...position, ...filters });
  if (row === undefined) throw new Error('An aggregate has one row.');
  const { items, last, hasMore } = row;
  return { json: `[${items ?? ''}]`, last: hasMore && last !== null ? positionOf(last) : null };
}

function positionOf(order: string): OrderPosition {
  const { createdAt, id }: OrderPosition = JSON.parse(order);
  return { createdAt, id };
}

type Values = {
  accountId: string;
  mode: Mode;
  limit: number;
  now: Date | undefined;
  after: string | undefined;
  afterId: string | undefined;
} & Omit<OrderFilter, 'limit' | 'after'>;
type PageRow = { items: string | null; last: string | null; hasMore: boolean };

/** The database writes the rows as JSON, so that the process neither reads nor formats them. */
const readUpTo = (size: number) =>
  compileOnce<Values, PageRow>((db, value) => {
    const status = statusAtInSql(value.now ? sql`${value.now}::timestamptz` : sql`clock_timestamp()`);
    const conditions = [
      sql`account_id = ${value.accountId} and mode = ${value.mode}`,
      ...(value.status ? [sql`${status} = ${value.status}`] : []),
      ...(value.side ? [sql`side = ${value.side}`] : []),
      ...(value.blueprintId ? [sql`blueprint_id = ${value.blueprintId}`] : []),
      ...(value.since ? [sql`created_at >= ${value.since}::timestamptz`] : []),
      ...(value.until ? [sql`created_at < ${value.until}::timestamptz`] : []),
      ...(value.after ? [sql`(created_at, id) < (${value.after}::timestamptz, ${value.afterId}::uuid)`] : []),
    ];
    const item = objectInSql({
      id: wordInSql(sql`id`),
      blueprintId: wordInSql(sql`blueprint_id`),
      status: wordInSql(status),
      side: wordInSql(sql`side`),
      amount: numberInSql(sql`amount`),
      createdAt: momentInSql(sql`created_at`),
    });
    return sql<PageRow>`
      select array_to_string(items[:${value.limit}], ',') as items, items[${value.limit}] as last,
        coalesce(cardinality(items), 0) > ${value.limit} as "hasMore"
      from (
        select array_agg(item) as items from (
          select ${item} as item from trade_order where ${sql.join(conditions, sql` and `)}
          order by created_at desc, id desc limit ${sql.lit(size)}) listed) page`.compile(db);
  });

/**
 * Limits written into the statement as literals: PostgreSQL replans a statement with a limit parameter every time, because it
 * cannot estimate the fraction of the rows.
 */
const READS = [51, 101, 201, 501, 1_001].map((size) => ({ size, read: readUpTo(size) }));

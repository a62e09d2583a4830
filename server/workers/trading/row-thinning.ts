import { type RawBuilder, sql } from 'kysely';
import { DELETED_ROWS_MAX, purgeDeniedOrders } from './expired-row-deletions.ts';

export const HOUR_MS = 3_600_000;

/** Rows that are all retained for a while, and later a few for each hour. */
export type RowThinning = {
  readonly what: string;
  /** Hours after which an hour is thinned. */
  readonly afterHours: number;
  /** The time of the oldest row; null if there is none. */
  readonly oldest: RawBuilder<{ at: string | null }>;
  /** Deletes at most `BATCH` rows of one hour. */
  readonly delete: (from: Date, until: Date) => RawBuilder<unknown>;
};

const WEEK_HOURS = 168;

/** Points, the columns that name whose they are, and those that a curve shows. */
type Points = {
  readonly table: 'equity_point' | 'blueprint_equity';
  readonly books: readonly string[];
  readonly values: readonly string[];
};

/** The last point of an hour stays, because the end of a day is read from it. An idle one does not. */
const equityOf = ({ table, books, values }: Points): RowThinning => ({
  what: table === 'equity_point' ? 'points of equity' : 'points of blueprints',
  afterHours: WEEK_HOURS,
  oldest: sql`select min(at) as at from ${sql.table(table)}`,
  delete: (from, until) => sql`
    delete from ${sql.table(table)} where ctid = any(array(select row_id from (
      select ctid as row_id, *, row_number() over (partition by ${sql.join(books.map((column) => sql.ref(column)))} order by at desc) as from_last
      from ${sql.table(table)} where at >= ${from} and at < ${until}) as numbered
      where from_last > 1 or ${isIdle({ table, books, values }, from, until)} limit ${DELETED_ROWS_MAX}))`,
});

/** A point at midnight belongs to the day that ends there. */
const DAY_OF = (row: string) => sql.raw(`date_trunc('day', ${row}.at - interval '1 millisecond', 'UTC')`);

/**
 * Whether the last point of an hour says nothing: it equals the one that stayed before it and the last of the next hour. The next
 * hour ends on the same day.
 */
function isIdle({ table, books, values }: Points, from: Date, until: Date): RawBuilder<unknown> {
  const inOrder = sql`${sql.table(table)} p
    where ${sql.join(
      books.map((column) => sql`p.${sql.ref(column)} = numbered.${sql.ref(column)}`),
      sql` and `,
    )}`;
  const valuesOf = (row: string) => sql`(${sql.join(values.map((column) => sql.ref(`${row}.${column}`)))})`;
  return sql`exists (
    select from
      lateral (select p.* from ${inOrder} and p.at < ${from} order by p.at desc limit 1) before,
      lateral (select p.* from ${inOrder} and p.at >= ${until} and p.at < ${new Date(until.getTime() + HOUR_MS)}
        order by p.at desc limit 1) after
    where ${valuesOf('before')} = ${valuesOf('numbered')} and ${valuesOf('after')} = ${valuesOf('numbered')}
      and ${DAY_OF('after')} = ${DAY_OF('numbered')})`;
}

export const ROW_THINNING: readonly RowThinning[] = [
  equityOf({
    table: 'equity_point',
    books: ['account_id', 'mode'],
    values: ['equity', 'cash', 'realized_pnl', 'unrealized_pnl'],
  }),
  equityOf({
    table: 'blueprint_equity',
    books: ['account_id', 'mode', 'blueprint_id'],
    values: ['realized_pnl', 'unrealized_pnl', 'held'],
  }),
  {
    what: 'denied orders',
    afterHours: 24,
    oldest: sql`select min(created_at) as at from trade_order where status = 'denied'`,
    delete: (from, until) =>
      purgeDeniedOrders(sql`select account_id, id, keeper from (
        select account_id, id, first_value(id) over hour as keeper, row_number() over hour as number
        from trade_order where status = 'denied' and node_id is not null and created_at >= ${from} and created_at < ${until}
        window hour as (partition by account_id, deployment_id, node_id, reason_code order by created_at, id)) as numbered
        where number > 1 limit ${DELETED_ROWS_MAX}`),
  },
];

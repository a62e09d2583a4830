import { type RawBuilder, sql } from 'kysely';

/** Copies `first` to `last` of a buy and its sell, `apartMs` apart. */
export type Copies = {
  accountId: string;
  orderIds: readonly string[];
  first: number;
  last: number;
  apartMs: number;
};

/** Larger than the gap between the entries of one pair. */
const SEQ_APART = 1_000;

/** Returns the statements that create the copies, with checks switched off. */
export function copyStatements({ accountId, orderIds, first, last, apartMs }: Copies): RawBuilder<unknown>[] {
  const numbers = sql`generate_series(${first}::int, ${last}::int) as n`;
  const shift = sql`n * ${apartMs}::bigint * interval '1 millisecond'`;
  const id = (column: string) => sql`md5(${sql.ref(column)}::text || n)::uuid`;
  const later = (column: string) => sql`${sql.ref(column)} + ${shift}`;
  const iso = (moment: RawBuilder<unknown>) =>
    sql`to_char((${moment})::timestamptz at time zone 'utc' + ${shift}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const copy = (table: string, from: RawBuilder<unknown>, changed: Record<string, RawBuilder<unknown>>) => {
    const fields = Object.entries(changed).flatMap(([name, value]) => [sql.lit(name), value]);
    // "offset" makes PostgreSQL build the record once, not once per column.
    return sql`insert into ${sql.table(table)} select (copied).* from (
      select jsonb_populate_record(t, jsonb_build_object(${sql.join(fields)})) as copied
      from ${sql.table(table)} as t, ${numbers}
      where account_id = ${accountId} and ${from} offset 0) as copies`;
  };
  const ofOrders = (column: string) => sql`${sql.ref(column)} = any(${orderIds}::uuid[])`;
  const ofFills = sql`fill_id in (select id from fill as f where ${ofOrders('f.order_id')})`;
  const seq = sql`seq + n * ${SEQ_APART}::bigint`;
  const marks = sql`(select coalesce(jsonb_agg(m || jsonb_build_object('asOf', ${iso(sql`m ->> 'asOf'`)})), '[]')
    from jsonb_array_elements(receipt -> 'marks') as m)`;
  return [
    copy('trade_order', ofOrders('id'), {
      id: id('id'),
      created_at: later('created_at'),
      queued_at: later('queued_at'),
      ended_at: later('ended_at'),
      receipt: sql`receipt || jsonb_build_object('decidedAt', ${iso(sql`receipt ->> 'decidedAt'`)}, 'marks', ${marks})`,
    }),
    copy('order_transition', ofOrders('order_id'), {
      order_id: id('order_id'),
      at: later('at'),
      seq,
      digest: sql`null::text`,
    }),
    copy('order_allocation', ofOrders('order_id'), { order_id: id('order_id') }),
    copy('fill_allocation', ofFills, { fill_id: id('fill_id') }),
    copy('cash_entry', ofFills, { id: id('id'), fill_id: id('fill_id'), at: later('at') }),
    copy('fill', ofOrders('order_id'), {
      id: id('id'),
      order_id: id('order_id'),
      venue_trade_id: id('venue_trade_id'),
      at: later('at'),
      applied_at: later('applied_at'),
      seq,
    }),
    copy('paper_order', ofOrders('id'), { id: id('id') }),
    copy('paper_fill', ofOrders('order_id'), { id: id('id'), order_id: id('order_id') }),
    sql`insert into account_day
      select distinct d.account_id, d.mode, (t.created_at at time zone 'utc')::date, d.opening_unrealized_pnl, 0
      from account_day as d join trade_order as t on t.account_id = d.account_id
      where d.account_id = ${accountId} on conflict do nothing`,
  ];
}

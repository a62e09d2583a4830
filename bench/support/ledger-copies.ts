import { type RawBuilder, sql } from 'kysely';
import { type Pool, systemDb } from '../../db/pool.ts';
import { systemWork } from '../../engine/platform/context.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { rechain } from '../../tests/support/rechain.ts';
import { limitBuy, openMarket, openTrader, steadyMarket } from './orders-world.ts';

/** Copies `first` to `last` of a buy and its sell, `apartMs` apart. */
type Copies = {
  accountId: string;
  orderIds: readonly string[];
  first: number;
  last: number;
  apartMs: number;
};

/** Far enough apart that no per-minute rule counts two of them. */
const APART_MS = 61_000;
const PRICE = '86398.01';
/** The market at which each side trades at that price. */
const QUOTES = { buy: { bid: '86398', ask: PRICE }, sell: { bid: PRICE, ask: '86398.02' } };
const FREE = JSON.stringify({
  formula: 'notional',
  takerRate: '0',
  makerRate: '0',
  exponent: 1,
  roundUpTo: null,
});

/** Larger than the gap between the entries of one pair. */
const SEQ_APART = 1_000;

/** Returns the statements that create the copies, with checks switched off. */
function copyStatements({ accountId, orderIds, first, last, apartMs }: Copies): RawBuilder<unknown>[] {
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

/** Opens an account that has bought and sold the same amount, and copies these trades in the database. */
export async function openCopiedTrades(pool: Pool) {
  const db = systemDb(pool);
  await (await openMarket(pool))();
  let nowMs = Date.now();
  const clock = async () => new Date(nowMs);
  let topOfBook = QUOTES.buy;
  const quotes: typeof steadyMarket.quotes = async (tokenIds) =>
    (await steadyMarket.quotes(tokenIds)).map((quote) => ({
      ...quote,
      ...topOfBook,
      asOf: new Date(nowMs).toISOString(),
    }));
  const venue = openPaperVenue({
    pool,
    clock,
    marketData: { ...steadyMarket, now: () => nowMs, quotes },
  });
  const trader = await openTrader(pool, 1_000);
  await db.updateTable('instrument').set({ fee_schedule: FREE }).execute();
  /** Buys or sells at one price without a fee, so that a buy and its sell cancel out. */
  const trade = async (side: 'buy' | 'sell'): Promise<string> => {
    nowMs += APART_MS;
    topOfBook = QUOTES[side];
    await db
      .updateTable('quote')
      .set({ ...topOfBook, as_of: new Date(nowMs) })
      .execute();
    const work = systemWork(pool, { accountId: trader.accountId, mode: 'paper' }, clock);
    const { id } = await proposeIntent(work, { ...limitBuy(trader), side, limitPrice: PRICE });
    await sendOrder(work, venue, id);
    return id;
  };
  await trade('buy');
  await trade('sell');
  const orderIds = [await trade('buy'), await trade('sell')];
  let copied = 0;
  return {
    ...trader,
    /** Copies the last pair of orders until there are `pairs` copies. */
    async copy(pairs: number): Promise<void> {
      const copies = {
        accountId: trader.accountId,
        orderIds,
        first: copied + 1,
        last: pairs,
        apartMs: 2 * APART_MS,
      };
      await db.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx);
        for (const statement of copyStatements(copies)) await statement.execute(trx);
        // Copies have no digests: a later baseline makes them count as steps of the previous version.
        await sql`update schema_migration set executed_at = '2200-01-01' where name like '%_baseline'`.execute(
          trx,
        );
        await sql`update position set fill_count = (select count(*) from fill),
          opened_at = (select max(applied_at) from fill where side = 'buy')`.execute(trx);
        await rechain(trx, copies.accountId);
      });
      await sql`analyze`.execute(db);
      copied = pairs;
    },
  };
}

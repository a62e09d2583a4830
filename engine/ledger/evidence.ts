import { type Selectable, sql } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database, Db } from '../../db/tables.ts';
import type { LedgerRows } from './rows.ts';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

/** What lies beside an account's books and must agree with them: venues' statements, records and curves. */
export type Evidence = {
  readAt: Date;
  instruments: Pick<Row<'instrument'>, 'token_id' | 'status' | 'settlement_value'>[];
  paperOrders: Pick<
    Row<'paper_order'>,
    'id' | 'token_id' | 'venue' | 'side' | 'amount' | 'limit_price' | 'filled_amount'
  >[];
  paperFills: Pick<Row<'paper_fill'>, 'id' | 'order_id' | 'token_id' | 'side' | 'amount' | 'price' | 'fee'>[];
  equityPoints: Row<'equity_point'>[];
  /** Events that are kept: their first and last number and how many there are; `last` is what the account counted up to. */
  events: { counted: string; first: string | null; last: string | null; rows: number };
  releases: { hash: string; visual: Json }[];
  /** Rows of history whose order or fill is gone. */
  orphans: { subject: string; id: string }[];
};

/** Reads it inside a transaction of the caller's. */
export async function readEvidence(
  trx: Db,
  { accountId, mode }: Pick<LedgerRows, 'accountId' | 'mode'>,
  readAt: Date,
): Promise<Evidence> {
  return {
    readAt,
    instruments: await trx
      .selectFrom('instrument')
      .select(['token_id', 'status', 'settlement_value'])
      .where('token_id', 'in', (select) =>
        select
          .selectFrom('fill')
          .select('token_id')
          .where('account_id', '=', accountId)
          .where('kind', '=', 'settlement'),
      )
      .execute(),
    paperOrders: mode === 'paper' ? await paperOrders(trx, accountId) : [],
    paperFills: mode === 'paper' ? await paperFills(trx, accountId) : [],
    equityPoints: await trx
      .selectFrom('equity_point')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .orderBy('at')
      .execute(),
    events: await events(trx, accountId),
    releases: await trx
      .selectFrom('release_body')
      .select(['hash', 'visual'])
      .where('account_id', '=', accountId)
      .execute(),
    orphans: await orphans(trx, accountId),
  };
}

const paperOrders = (trx: Db, accountId: string) =>
  trx
    .selectFrom('paper_order')
    .select(['id', 'token_id', 'venue', 'side', 'amount', 'limit_price', 'filled_amount'])
    .where('account_id', '=', accountId)
    .execute();

const paperFills = (trx: Db, accountId: string) =>
  trx
    .selectFrom('paper_fill')
    .select(['id', 'order_id', 'token_id', 'side', 'amount', 'price', 'fee'])
    .where('account_id', '=', accountId)
    .execute();

async function events(trx: Db, accountId: string): Promise<Evidence['events']> {
  const { rows } = await sql<Evidence['events']>`
    select a.event_seq as counted, min(e.seq) as first, max(e.seq) as last, count(e.seq)::int as rows
    from account a left join account_event e on e.account_id = a.id
    where a.id = ${accountId} group by a.event_seq`.execute(trx);
  return rows[0] ?? { counted: '0', first: null, last: null, rows: 0 };
}

/** What foreign keys refuse while they are on. */
async function orphans(trx: Db, accountId: string): Promise<Evidence['orphans']> {
  const { rows } = await sql<Evidence['orphans'][number]>`
    select 'order_transition' as subject, s.order_id as id from order_transition s
      where s.account_id = ${accountId} and not exists (
        select from trade_order o where o.account_id = s.account_id and o.id = s.order_id)
    union select 'order_allocation', s.order_id from order_allocation s
      where s.account_id = ${accountId} and not exists (
        select from trade_order o where o.account_id = s.account_id and o.id = s.order_id)
    union select 'fill_allocation', s.fill_id from fill_allocation s
      where s.account_id = ${accountId} and not exists (
        select from fill f where f.account_id = s.account_id and f.id = s.fill_id)
    union select 'fill', s.id from fill s
      where s.account_id = ${accountId} and s.order_id is not null and not exists (
        select from trade_order o where o.account_id = s.account_id and o.id = s.order_id)`.execute(trx);
  return rows;
}

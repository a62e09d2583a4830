import { type RawBuilder, sql } from 'kysely';
import { compileOnce } from '../../../db/compiled.ts';
import { byMode } from '../../../db/vocabulary.ts';
import { nowInSql } from '../../platform/clock/now-in-sql.ts';
import { type BooksKey, databaseClock, type Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { isDustInSql, MARK_OR_ZERO, reservedInSql, worthInSql } from '../../platform/sql-fragments.ts';
import { type PositionRow, type PositionView, viewOf } from './position-view.ts';

export type { PositionView } from './position-view.ts';

/** `totalPnl` is a decimal string in USD: realized plus unrealized at the stored bid marks, after fees. */
export type PortfolioSummary = {
  runningBlueprints: number;
  /** Distinct instruments held. In live mode, only those with more than dust. */
  openPositions: number;
  /** Intents that wait for approval. */
  pendingOrders: number;
  totalPnl: string;
};

/**
 * The account's value now, in USD, read at one instant. `equity` is `cash` plus `worth`: holdings at their stored bid marks,
 * and won settlements not yet paid out. `totalPnl` is `realizedPnl` plus `unrealizedPnl`; `dayPnl` is since 00:00 UTC.
 */
export type AccountNow = PortfolioSummary & Record<(typeof MONEY)[number], string>;

const MONEY = ['equity', 'cash', 'worth', 'realizedPnl', 'unrealizedPnl', 'dayPnl'] as const;

/** The account in the four numbers of its summary. */
export async function portfolioSummary(work: Work): Promise<PortfolioSummary> {
  const { db, accountId, mode } = work;
  if (work.clock !== databaseClock) return summaryOf(await readAccount<SummaryRow>(work, sql``));
  const rows = await SUMMARY[mode](db, { accountId });
  return summaryOf(theOnly(rows, accountId));
}

export async function accountNow(work: Work): Promise<AccountNow> {
  const now = await nowInSql(work);
  const money = sql`, t.cash, t.cash + h.worth + ${claimsInSql(work)} as equity, h.worth + ${claimsInSql(work)} as worth,
    t.realized_pnl as "realizedPnl", h.worth - h.cost as "unrealizedPnl",
    coalesce((select d.realized_pnl + h.worth - h.cost - d.opening_unrealized_pnl from account_day d
      where d.account_id = t.account_id and d.mode = t.mode and d.day = (${now} at time zone 'UTC')::date), 0) as "dayPnl"`;
  const row = await readAccount<SummaryRow & Record<(typeof MONEY)[number], string>>(work, money);
  const amounts = Object.fromEntries(MONEY.map((name) => [name, exact(row[name]).toFixed()]));
  return { ...summaryOf(row), ...(amounts as Record<(typeof MONEY)[number], string>) };
}

const summaryOf = ({ running, held, pending, pnl }: SummaryRow): PortfolioSummary => ({
  runningBlueprints: running,
  openPositions: held,
  pendingOrders: pending,
  totalPnl: exact(pnl).toFixed(),
});

type SummaryRow = { running: number; held: number; pending: number; pnl: string };

/**
 * Reads the whole account in one statement, so that its numbers agree with each other: the summary, and the requested extras.
 */
async function readAccount<Row extends SummaryRow>(work: Work, more: RawBuilder<unknown>): Promise<Row> {
  const { rows } = await accountInSql<Row>(work, await nowInSql(work), more).execute(work.db);
  return theOnly(rows, work.accountId);
}

function theOnly<Row>([row]: readonly Row[], accountId: string): Row {
  if (row === undefined) throw new Error(`Account ${accountId} has no trading account.`);
  return row;
}

const accountInSql = <Row>(
  { accountId, mode }: BooksKey,
  now: RawBuilder<string>,
  more: RawBuilder<unknown>,
): RawBuilder<Row> => sql<Row>`
    select
      (select count(*)::int from blueprint b left join deployment d on d.account_id = b.account_id and d.id = b.deployment_id
        where b.account_id = ${accountId} and b.status = 'running' and b.deleted_at is null
          and coalesce(d.mode = ${mode}, true)) as running,
      (select count(*)::int from trade_order
        where account_id = ${accountId} and mode = ${mode} and status = 'pending' and expires_at > ${now}) as pending,
      ${mode === 'live' ? MORE_THAN_DUST : sql`h.held`} as held, t.realized_pnl + h.worth - h.cost as pnl${more}
    from trading_account t, lateral (
      select count(distinct p.token_id)::int as held, coalesce(sum(${worthInSql(MARK_OR_ZERO)}), 0) as worth,
        coalesce(sum(p.total_cost), 0) as cost
      from position p left join quote q on q.token_id = p.token_id
      where p.account_id = t.account_id and p.mode = t.mode and p.amount > 0) h
    where t.account_id = ${accountId} and t.mode = ${mode}`;

/** The number of instruments of `trading_account t` of which all blueprints together hold more than dust. */
const MORE_THAN_DUST = sql`(
  select count(*)::int from (
    select 1 from position p join instrument i on i.token_id = p.token_id left join quote q on q.token_id = p.token_id
    where p.account_id = t.account_id and p.mode = t.mode and p.amount > 0
    group by i.token_id, q.token_id having not ${isDustInSql(sql`sum(p.amount)`, sql`sum(p.total_cost)`)}) instrument)`;

/** Won settlements not yet paid out, USD. They are deducted from the cash until then. */
const claimsInSql = ({ accountId, mode }: Work) => sql`(select coalesce(-sum(amount), 0) from cash_entry
  where account_id = ${accountId} and mode = ${mode} and kind = 'redemption' and fill_id is null)`;

/** A sum over all listed positions of the instrument of `position p`, in any blueprint: a close sells them together. */
const heldOf = (column: 'amount' | 'total_cost') =>
  sql`sum(p.${sql.ref(column)}) over (partition by p.token_id)`;

/** The account's holdings, newest first. */
export async function listPositions(work: Work): Promise<PositionView[]> {
  const now = await nowInSql(work);
  const { rows } = await sql<PositionRow>`
    select p.token_id, p.venue, i.title, p.amount, p.total_cost, p.realized_pnl, p.blueprint_id, p.opened_at,
      p.updated_at, q.mark_price, ${reservedInSql(now)} as closing,
      p.mode = 'live' and ${isDustInSql(heldOf('amount'), heldOf('total_cost'))} as is_dust
    from position p
    join instrument i on i.token_id = p.token_id
    left join quote q on q.token_id = p.token_id
    where p.account_id = ${work.accountId} and p.mode = ${work.mode} and p.amount > 0
    order by p.opened_at desc, p.id desc`.execute(work.db);
  return rows.map(viewOf);
}

const SUMMARY = byMode((mode) =>
  compileOnce<{ accountId: string }, SummaryRow>((db, { accountId }) =>
    accountInSql<SummaryRow>({ accountId, mode }, sql<string>`clock_timestamp()`, sql``).compile(db),
  ),
);

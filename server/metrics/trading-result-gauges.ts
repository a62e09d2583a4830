import { sql } from 'kysely';
import type { DatabaseGauge } from './database-gauge.ts';

/** The most books to report: live ones first, then the oldest. */
const BOOKS_MAX = 1_000;

/** Books with the last point of their curve, at most five minutes old while a runner lives. */
const BOOKS = sql`
  select t.account_id, t.account_id::text as account, t.mode, t.cash, t.realized_pnl, t.tripped_at, p.equity, p.unrealized_pnl
  from (select * from trading_account order by mode, created_at limit ${sql.lit(BOOKS_MAX)}) t
    left join lateral (select equity, unrealized_pnl from equity_point e
      where e.account_id = t.account_id and e.mode = t.mode order by at desc limit 1) p on true`;
const labels = ['account', 'mode'];

/** Trading results by account. Separate from the other metrics, because each account is a label. */
export const TRADING_RESULT_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'trading_account_equity_usd',
    help: 'Cash and what is held, at marks',
    labels,
    alert: null,
    query: sql`select account, mode, equity as value from (${BOOKS}) b where equity is not null`,
  },
  {
    name: 'trading_account_cash_usd',
    help: 'Cash',
    labels,
    alert: null,
    query: sql`select account, mode, cash as value from (${BOOKS}) b`,
  },
  {
    name: 'trading_account_profit_usd',
    help: 'Profit after fees, realized and at marks, since the books began',
    labels,
    alert: null,
    query: sql`select account, mode, realized_pnl + coalesce(unrealized_pnl, 0) as value from (${BOOKS}) b`,
  },
  {
    name: 'trading_account_day_loss_used_ratio',
    help: 'Loss since 00:00 UTC as a part of maxDailyLoss, which stops buying at 1',
    labels,
    alert: null,
    query: sql`select b.account, b.mode, greatest(0, d.opening_unrealized_pnl - d.realized_pnl - coalesce(b.unrealized_pnl, 0))
          / nullif(r.max_daily_loss, 0) as value
      from (${BOOKS}) b join risk_rules r on r.account_id = b.account_id and r.mode = b.mode
        join account_day d on d.account_id = b.account_id and d.mode = b.mode
          and d.day = (clock_timestamp() at time zone 'utc')::date
      where r.max_daily_loss > 0`,
  },
  {
    name: 'trading_account_drawdown_usd',
    help: 'Fall from the highest profit, where a drawdown stop is on',
    labels,
    alert: null,
    query: sql`select b.account, b.mode, greatest(0, w.high_water_mark - b.realized_pnl - coalesce(b.unrealized_pnl, 0)) as value
      from (${BOOKS}) b join drawdown_watch w on w.account_id = b.account_id and w.mode = b.mode`,
  },
  {
    name: 'trading_account_tripped',
    help: '1 while the loss of the day keeps buys out',
    labels,
    alert: null,
    query: sql`select account, mode, (tripped_at is not null)::int as value from (${BOOKS}) b`,
  },
];

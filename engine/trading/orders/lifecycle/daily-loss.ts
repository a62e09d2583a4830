import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import { utcDay } from '../../../platform/clock/utc-day.ts';
import type { BooksKey } from '../../../platform/context.ts';
import { unrealizedInSql } from '../../../platform/sql-fragments.ts';
import { MARK_MAX_AGE_SEC } from '../../../risk/mark-age.ts';
import { isTrippedOn } from '../../../risk/read-risk-snapshot.ts';

/**
 * Finds books whose daily loss has reached its limit without a recorded trip, at most `most`. Runs one statement over the open
 * days, which every account with holdings has; its cost grows with the holdings, not with history.
 */
export async function findDailyLossesReached(db: Db, now: Date, most: number): Promise<BooksKey[]> {
  const { rows } = await sql<{ account_id: string; mode: Mode }>`
    with held as materialized (
      select p.account_id, p.mode, sum(${unrealizedInSql(sql`q.mark_price`)}) as unrealized
      from position p join quote q on q.token_id = p.token_id
      where p.amount > 0 and q.mark_price is not null
      group by p.account_id, p.mode
    )
    select d.account_id, d.mode
    from account_day d
    join risk_rules r on r.account_id = d.account_id and r.mode = d.mode
    join trading_account t on t.account_id = d.account_id and t.mode = d.mode
    left join held h on h.account_id = d.account_id and h.mode = d.mode
    where d.day = ${utcDay(now)} and ${isTrippedOn(now)} is not true
      and greatest(d.opening_unrealized_pnl - d.realized_pnl - coalesce(h.unrealized, 0), 0) >= r.max_daily_loss
    limit ${most}`.execute(db);
  return rows.map(({ account_id, mode }) => ({ accountId: account_id, mode }));
}

/**
 * Finds books whose drawdown watch must be updated: their profit is now above the mark or too far below it, or no longer is.
 * Books in a lasting state are found again once it may have lasted long enough.
 */
export async function findWatchesToUpdate(db: Db, now: Date, most: number): Promise<BooksKey[]> {
  const lasted = (since: string) =>
    sql`${sql.ref(since)} < ${now}::timestamptz - ${sql.lit(MARK_MAX_AGE_SEC)} * interval '1 second' or ${sql.ref(since)} > ${now}`;
  const { rows } = await sql<{ account_id: string; mode: Mode }>`
    with held as materialized (
      select p.account_id, p.mode, sum(${unrealizedInSql(sql`q.mark_price`)}) filter (where q.mark_price is not null) as unrealized,
        bool_or(q.mark_at is null or q.mark_at < ${now}::timestamptz - ${sql.lit(MARK_MAX_AGE_SEC)} * interval '1 second') as is_stale
      from drawdown_watch w join position p on p.account_id = w.account_id and p.mode = w.mode
        left join quote q on q.token_id = p.token_id
      where p.amount > 0
      group by p.account_id, p.mode
    ), seen as (
      select w.*, coalesce(h.is_stale, false) as is_stale, t.realized_pnl + coalesce(h.unrealized, 0) as profit, r.max_drawdown
      from drawdown_watch w
      join risk_rules r on r.account_id = w.account_id and r.mode = w.mode
      join trading_account t on t.account_id = w.account_id and t.mode = w.mode
      left join held h on h.account_id = w.account_id and h.mode = w.mode
    ), evaluated as (
      select seen.*, profit > high_water_mark as is_above,
        greatest(high_water_mark - profit, 0) >= max_drawdown and tripped_at is null as is_beyond
      from seen
    )
    select account_id, mode from evaluated
    where case
      when is_stale then rising_since is not null or beyond_since is not null
      else is_above <> (rising_since is not null) or is_beyond <> (beyond_since is not null and tripped_at is null)
        or profit < rising_to or ${lasted('rising_since')} or (tripped_at is null and (${lasted('beyond_since')}))
    end
    limit ${most}`.execute(db);
  return rows.map(({ account_id, mode }) => ({ accountId: account_id, mode }));
}

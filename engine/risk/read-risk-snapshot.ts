import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Mode } from '../../db/vocabulary.ts';
import { markIgnoringBriefZero } from '../books/accounting/mark-ignoring-brief-zero.ts';
import { utcDay } from '../platform/clock/utc-day.ts';
import type { Work } from '../platform/context.ts';
import { LIVE_STATUSES } from '../platform/order-states.ts';
import { isDustInSql, isPastItsTimeInSql, statusList } from '../platform/sql-fragments.ts';
import { parseRiskSnapshot, type RiskSnapshot, type RiskSnapshotRow } from './risk-snapshot.ts';
import { RULES } from './rules/catalogue.ts';

/** Whether `trading_account t` tripped on the UTC day of `now`: a trip ends at 00:00 UTC. */
export const isTrippedOn = (now: Date): RawBuilder<boolean> =>
  sql`(t.tripped_at >= ${utcDay(now)}::date::timestamp at time zone 'UTC')`;

/** The columns of the limits, of `risk_rules r`. */
const LIMITS = sql.join(RULES.map(({ column }) => sql.ref(`r.${column}`)));

/** The row of `drawdown_watch w`, its decimals as text. */
const WATCH = sql`case when w.since is not null then json_build_object('since', w.since, 'high_water_mark', w.high_water_mark::text,
  'rising_to', w.rising_to::text, 'rising_since', w.rising_since, 'beyond_since', w.beyond_since, 'tripped_at', w.tripped_at) end`;

const NO_ORDER = '00000000-0000-0000-0000-000000000000';

/** Selects accounts in one mode at one moment. */
type SnapshotQuery = {
  readonly accountIds: readonly string[];
  readonly mode: Mode;
  readonly now: Date;
  /** A pending order that must not count against itself when it is rechecked. */
  readonly leaveOut?: string | undefined;
};

const riskSnapshotInSql = (
  accountId: RawBuilder<unknown>,
  { mode, now, leaveOut = NO_ORDER }: SnapshotQuery,
) => sql<RiskSnapshotRow>`
    with live_buy as materialized (
      select token_id, blueprint_id, sum(limit_price * (amount - filled_amount) + greatest(worst_fee - fees, 0)) as reserve
      from trade_order
      where account_id = ${accountId} and mode = ${mode} and side = 'buy'
        and status in ${statusList(LIVE_STATUSES)}
        and not ${isPastItsTimeInSql(now)}
        and id <> ${leaveOut}
      group by token_id, blueprint_id
    ), own as materialized (
      select token_id, blueprint_id, amount, total_cost
      from position
      where account_id = ${accountId} and mode = ${mode} and amount > 0
    ), held as materialized (
      select token_id, sum(amount) as amount, sum(total_cost) as total_cost
      from own
      group by token_id
    )
    select ${LIMITS}, r.version, ${WATCH} as watch,
      t.cash, t.realized_pnl, t.last_loss_at, case when ${isTrippedOn(now)} then t.tripped_at end as tripped_at, d.realized_pnl as day_realized_pnl, d.opening_unrealized_pnl,
      (select count(*)::int from trade_order
        where account_id = ${accountId} and mode = ${mode}
          and side = 'buy' and queued_at > ${now}::timestamptz - interval '60 seconds') as queued_last_minute,
      (select suspended_at is not null from account where id = ${accountId}) as is_suspended,
      (select coalesce(json_agg(json_build_object('tokenId', token_id, 'reserve', reserve::text)
          order by token_id), '[]')
        from (select token_id, sum(reserve) as reserve from live_buy group by token_id) of_instrument) as buying,
      (select coalesce(json_agg(json_build_object('blueprintId', blueprint_id, 'atStake', at_stake::text)
          order by blueprint_id), '[]')
        from (select blueprint_id, sum(usd) as at_stake
          from (select blueprint_id, reserve as usd from live_buy
            union all select blueprint_id, total_cost from own) each_part
          group by blueprint_id) of_blueprint) as stakes,
      (select coalesce(json_agg(json_build_object('tokenId', held.token_id, 'amount', held.amount::text,
          'totalCost', held.total_cost::text, 'mark', q.mark_price::text, 'markAt', q.mark_at,
          'steadyMark', (${markIgnoringBriefZero(now)})::text, 'isDust', ${mode} = 'live' and ${isDustInSql(sql`held.amount`, sql`held.total_cost`)})
          order by held.token_id), '[]')
        from held join instrument i on i.token_id = held.token_id left join quote q on q.token_id = held.token_id) as held
    from risk_rules r
    join trading_account t on t.account_id = r.account_id and t.mode = r.mode
    left join drawdown_watch w on w.account_id = r.account_id and w.mode = r.mode
    left join account_day d on d.account_id = r.account_id and d.mode = r.mode and d.day = ${utcDay(now)}
    where r.account_id = ${accountId} and r.mode = ${mode}`;

/**
 * Reads the values that the rules measure at `now`, by account. Under the locks of the accounts they stay valid until the
 * transaction ends.
 */
export async function readRiskSnapshots(db: Db, query: SnapshotQuery): Promise<Map<string, RiskSnapshot>> {
  const { rows } = await sql<RiskSnapshotRow & { account_id: string }>`
    select account.id as account_id, basis.*
    from unnest(${query.accountIds}::uuid[]) as account (id)
    cross join lateral (${riskSnapshotInSql(sql`account.id`, query)}) as basis`.execute(db);
  return new Map(rows.map((row) => [row.account_id, parseRiskSnapshot(row)]));
}

/** Reads the values of one account, as {@link readRiskSnapshots}. */
export async function readRiskSnapshot(
  { db, accountId, mode }: Work,
  query: Pick<SnapshotQuery, 'now' | 'leaveOut'>,
): Promise<RiskSnapshot> {
  const snapshots = await readRiskSnapshots(db, { accountIds: [accountId], mode, ...query });
  const snapshot = snapshots.get(accountId);
  if (snapshot === undefined) throw new Error(`Account ${accountId} has no rules or no trading account.`);
  return snapshot;
}

import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { BreakerFacts } from './breakers.ts';
import type { HealthFacts } from './connection-health.ts';
import { PAUSE_REFUSALS } from './venue-pause.ts';

/** Facts of a connection's breakers that the database stores. The runner that trades through it knows the rest. */
export type StoredBreakerFacts = Omit<BreakerFacts, keyof HealthFacts>;

const REFUSED_WITHIN_MS = 60_000;
/** A paused venue is tried again after this time, unless a check found it still paused. */
const PAUSED_WITHIN_MS = 15_000;
/** Events within this window are read again each time, so that no process has to remember them. */
const HAPPENED_WITHIN_MS = 10 * 60_000;

/** Reads the facts of these connections by id, in one statement. Events before the last resume do not count. */
export async function readBreakerFacts(
  db: Db,
  connectionIds: readonly string[],
  now: Date,
): Promise<Map<string, StoredBreakerFacts>> {
  if (connectionIds.length === 0) return new Map();
  const since = (ms: number) =>
    sql`greatest(${new Date(now.getTime() - ms).toISOString()}::timestamptz, c.resumed_at)`;
  const { rows } = await sql<FactsRow>`
    select c.id, c.clock_offset_ms, c.reconciled_at, c.key_expires_at,
      coalesce((
        select json_agg(r) from (
          select o.reason_code as code, count(*)::int as orders from trade_order o
          where o.connection_id = c.id and o.status in ('rejected', 'canceled') and o.status = 'rejected'
            and o.reason_code is not null and o.ended_at > case
              when o.reason_code = any(${[...PAUSE_REFUSALS]}::text[]) then ${since(PAUSED_WITHIN_MS)}
              else ${since(REFUSED_WITHIN_MS)} end
          group by o.reason_code order by o.reason_code) r), '[]') as refusals,
      (select count(*)::int from trade_order o
        where o.connection_id = c.id and o.status in ('rejected', 'canceled')
          and o.reason_code in ('limit_group', 'order_group_triggered')
          and o.ended_at > ${since(HAPPENED_WITHIN_MS)}) as group_limited,
      (select count(*)::int from audit_event a
        join trade_order o on o.account_id = a.account_id and o.id = a.subject_id
        where a.account_id = c.account_id and a.at > ${since(HAPPENED_WITHIN_MS)} and a.action = 'fill.late'
          and a.before ->> 'status' = 'rejected' and o.connection_id = c.id) as came_back,
      (select min(d.arrives_by) from trade_order o
        join order_dispatch d on d.account_id = o.account_id and d.order_id = o.id
        where o.account_id = c.account_id and o.connection_id = c.id and o.status in ('submitted', 'unknown')) as open_fate_since,
      (select min(d.fills_missing_since) from order_dispatch d
        where d.account_id = c.account_id and d.connection_id = c.id and d.fills_missing_since is not null) as fills_missing_since,
      exists (select from trading_account t where t.account_id = c.account_id and t.mode = 'live'
        and t.tripped_at >= ${utcDay(now)}::date::timestamp at time zone 'UTC') as is_day_lost,
      exists (select from drawdown_watch w where w.account_id = c.account_id and w.mode = 'live'
        and w.tripped_at is not null) as is_drawn_down,
      exists (select from ledger_check l where l.account_id = c.account_id and l.mode = 'live'
        and l.differences > 0) as is_ledger_wrong
    from venue_connection c where c.id = any(${[...connectionIds]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, factsOf(row)]));
}

type FactsRow = {
  id: string;
  clock_offset_ms: number | null;
  reconciled_at: string | null;
  key_expires_at: string | null;
  refusals: { code: string; orders: number }[];
  group_limited: number;
  came_back: number;
  open_fate_since: string | null;
  fills_missing_since: string | null;
  is_day_lost: boolean;
  is_drawn_down: boolean;
  is_ledger_wrong: boolean;
};

const dateOf = (at: string | null): Date | null => (at === null ? null : new Date(at));

const factsOf = (row: FactsRow): StoredBreakerFacts => ({
  clockOffsetMs: row.clock_offset_ms,
  refusals: row.refusals,
  openFateSince: dateOf(row.open_fate_since),
  fillsMissingSince: dateOf(row.fills_missing_since),
  reconciledAt: dateOf(row.reconciled_at),
  isDayLost: row.is_day_lost,
  isDrawnDown: row.is_drawn_down,
  isLedgerWrong: row.is_ledger_wrong,
  keyExpiresAt: dateOf(row.key_expires_at),
  cameBack: row.came_back,
  groupLimited: row.group_limited,
});

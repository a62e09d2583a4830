import { sql } from 'kysely';
import { LOCK_SPACE, LOCKS } from '../kernel/rounds/lock-session.ts';
import { type DatabaseGauge, secondsSinceOldest } from './database-gauge.ts';

const HAS_LIVE = sql`exists (select 1 from deployment d where d.shard = s.id and d.ended_at is null)`;
const LOCK_NAMES = sql.join(Object.entries(LOCKS).map(([name, id]) => sql`(${name}::text, ${id}::int)`));

/** Gauges of runners, their leases and their work. */
export const RUNNER_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'trading_runners',
    help: 'Processes that hold leases on shards',
    alert: 'TradingNoRunner',
    query: sql`select count(distinct owner) as value from shard where lease_until > clock_timestamp()`,
  },
  {
    name: 'trading_shards_unowned',
    help: 'Shards with running deployments and no lease',
    alert: 'TradingShardUnowned',
    query: sql`select count(*) as value from shard s where (s.lease_until > clock_timestamp()) is not true and ${HAS_LIVE}`,
  },
  {
    name: 'trading_shards_leased',
    help: 'Leases that are held',
    alert: null,
    query: sql`select count(*) as value from shard where lease_until > clock_timestamp()`,
  },
  {
    name: 'trading_shard_lag_seconds',
    help: 'How late the last tick of a shard was stored',
    labels: ['shard'],
    alert: 'TradingTickLag',
    query: sql`select id as shard, lag_ms / 1000.0 as value from shard where owner is not null`,
  },
  {
    name: 'trading_shard_tick_age_seconds',
    help: 'Since the last tick of a shard with running deployments',
    labels: ['shard'],
    alert: 'TradingTickLate',
    query: sql`select s.id as shard, extract(epoch from clock_timestamp() - coalesce(s.last_tick_at,
        (select min(started_at) from deployment d where d.shard = s.id and d.ended_at is null))) as value
      from shard s where ${HAS_LIVE}`,
  },
  {
    name: 'trading_shard_skipped_ticks',
    help: 'Ticks of a shard skipped since the beginning',
    labels: ['shard'],
    alert: null,
    query: sql`select id as shard, skipped_ticks as value from shard`,
  },
  {
    name: 'trading_locks_held',
    help: '1 where a process holds the lock of what one process at a time does',
    labels: ['lock'],
    alert: 'TradingWatchMissing',
    query: sql`select n.name as lock, count(distinct l.pid) as value from (values ${LOCK_NAMES}) n (name, id)
      left join pg_locks l on l.locktype = 'advisory' and l.granted and l.classid = ${LOCK_SPACE}::int8::oid
        and l.objid = n.id::int8::oid and l.database = (select oid from pg_database where datname = current_database())
      group by n.name`,
  },
  {
    name: 'trading_deployments_running',
    help: 'Deployments that have not ended',
    alert: 'TradingNoRunner',
    query: sql`select count(*) as value from deployment where ended_at is null`,
  },
  {
    name: 'trading_orders',
    help: 'Orders that are not over, by status',
    labels: ['status'],
    alert: null,
    query: sql`select status, count(*) as value from trade_order
      where status in ('pending', 'queued', 'submitted', 'unknown', 'open', 'partially_filled') group by status`,
  },
  {
    name: 'trading_order_age_seconds',
    help: 'Age of the oldest order under way, by status',
    labels: ['status'],
    alert: 'TradingOrderStuck',
    query: sql`select status, ${secondsSinceOldest('updated_at')} as value from trade_order
      where status in ('queued', 'submitted', 'unknown') group by status`,
  },
  {
    name: 'trading_paper_orders_resting',
    help: 'Orders that rest at the paper venue',
    alert: null,
    query: sql`select count(*) as value from paper_order where status = 'open'`,
  },
  {
    name: 'trading_intents_waiting',
    help: 'Intents of ticks without a decision',
    alert: null,
    query: sql`select count(*) as value from intent_request`,
  },
  {
    name: 'trading_intent_age_seconds',
    help: 'Age of the oldest intent without a decision',
    alert: 'TradingIntentsWaiting',
    query: sql`select ${secondsSinceOldest('created_at')} as value from intent_request`,
  },
];

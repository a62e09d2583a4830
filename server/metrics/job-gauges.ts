import { sql } from 'kysely';
import { SCHEDULED_COMMANDS } from '../kernel/scheduled-commands.ts';
import { type DatabaseGauge, secondsSinceOldest } from './database-gauge.ts';

/** Jobs that wait or run. */
export const QUEUED = sql`
  select 'backtest' as queue, status, created_at, leased_until from backtest where status in ('queued', 'running')
  union all
  select 'sweep', status, created_at, leased_until from sweep where status in ('queued', 'running')
  union all
  select 'history_import', status, created_at, null from history_import where status in ('queued', 'running')`;
const NAMES = sql.join(SCHEDULED_COMMANDS.map((name) => sql`(${name}::text)`));

/** Gauges of job queues, notifications in delivery, and scheduled commands. */
export const JOB_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'trading_jobs',
    help: 'Backtests, sweeps and imports of history that wait or run',
    labels: ['queue', 'status'],
    alert: null,
    query: sql`select queue, status, count(*) as value from (${QUEUED}) j group by 1, 2`,
  },
  {
    name: 'trading_job_age_seconds',
    help: 'Age of the oldest job that waits, by queue',
    labels: ['queue'],
    alert: 'TradingJobsWaiting',
    query: sql`select queue, ${secondsSinceOldest('created_at')} as value from (${QUEUED}) j where status = 'queued' group by 1`,
  },
  {
    name: 'trading_jobs_lapsed',
    help: 'Jobs that run and whose lease is over, by queue',
    labels: ['queue'],
    alert: 'TradingJobsLapsed',
    query: sql`select queue, count(*) as value from (${QUEUED}) j
      where status = 'running' and leased_until < clock_timestamp() group by 1`,
  },
  {
    name: 'trading_notification_channels',
    help: 'Channels of notifications by state',
    labels: ['state'],
    alert: null,
    query: sql`select state, count(*) as value from notification_channel group by state`,
  },
  {
    name: 'trading_notification_channels_failing',
    help: 'Channels whose receiver has taken nothing for an hour',
    alert: 'TradingNotificationsFailing',
    query: sql`select count(*) as value from notification_channel
      where state = 'on' and failing_since < clock_timestamp() - interval '1 hour'`,
  },
  {
    name: 'trading_notification_deliveries_waiting',
    help: 'Notifications on their way to a channel',
    alert: null,
    query: sql`select count(*) as value from notification_delivery where status = 'waiting'`,
  },
  {
    name: 'trading_notification_late_seconds',
    help: 'How long the notification that waits longest is due',
    alert: 'TradingNotificationsLate',
    query: sql`select ${secondsSinceOldest('due_at')} as value from notification_channel
      where state = 'on' and due_at < clock_timestamp() and (leased_until > clock_timestamp()) is not true`,
  },
  {
    name: 'trading_operation_age_seconds',
    help: 'Since a command last ended well; +Inf where it never did',
    labels: ['operation'],
    alert: 'TradingOperationOverdue',
    query: sql`select n.name as operation,
        coalesce(extract(epoch from clock_timestamp() - o.last_ok_at)::float8, 'Infinity') as value
      from (values ${NAMES}) n (name) left join operation_run o on o.name = n.name`,
  },
  {
    name: 'trading_operation_failed',
    help: '1 where a command last ended with a failure or a finding',
    labels: ['operation'],
    alert: 'TradingOperationFailed',
    query: sql`select name as operation, (not is_ok)::int as value from operation_run`,
  },
];

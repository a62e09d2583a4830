import { sql } from 'kysely';
import { type DatabaseGauge, secondsSinceOldest } from './database-gauge.ts';

/** Gauges of the database server. */
export const SERVER_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'trading_database_sessions',
    help: 'Sessions of this database by state, where the role may see it',
    labels: ['state'],
    alert: null,
    query: sql`select coalesce(state, 'other') as state, count(*) as value from pg_stat_activity where datname = current_database() group by 1`,
  },
  {
    name: 'trading_longest_transaction_seconds',
    help: 'Age of the oldest open transaction',
    alert: 'TradingLongTransaction',
    query: sql`select ${secondsSinceOldest('xact_start')} as value from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  },
  {
    name: 'trading_transaction_id_age',
    help: 'Transactions since the oldest that is not frozen',
    alert: 'TradingTransactionIds',
    query: sql`select age(datfrozenxid) as value from pg_database where datname = current_database()`,
  },
  {
    name: 'trading_wal_archive_failing',
    help: '1 where the last segment of the write-ahead log could not be archived',
    alert: 'TradingWalArchiveFailing',
    query: sql`select (last_failed_time > coalesce(last_archived_time, '-infinity'))::int as value
      from pg_stat_archiver where last_failed_time is not null`,
  },
];

/** Sizes, and states counted over whole tables: queried less often. */
export const TABLE_GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'trading_blueprints',
    help: 'Blueprints by status',
    labels: ['status'],
    alert: null,
    query: sql`select status, count(*) as value from blueprint where deleted_at is null group by status`,
  },
  {
    name: 'trading_instruments',
    help: 'Known instruments by status',
    labels: ['status'],
    alert: null,
    query: sql`select status, count(*) as value from instrument group by status`,
  },
  {
    name: 'trading_table_bytes',
    help: 'Bytes of a table with its indexes',
    labels: ['table'],
    alert: null,
    query: sql`select relname as table, pg_total_relation_size(relid) as value from pg_stat_user_tables where schemaname = 'public'`,
  },
  {
    name: 'trading_dead_rows',
    help: 'Rows of a table that wait for vacuum',
    labels: ['table'],
    alert: null,
    query: sql`select relname as table, n_dead_tup as value from pg_stat_user_tables where schemaname = 'public'`,
  },
];

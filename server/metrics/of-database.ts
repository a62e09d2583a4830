import { type RawBuilder, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { type Pool, systemDb } from '../../db/pool.ts';

/** What the database was asked holds so long, for whoever asks: some questions cost milliseconds. */
const HOLDS_MS = 10_000;

type Row = { value: number | string } & Record<string, number | string>;
type Question = { name: string; help: string; labels?: readonly string[]; ask: RawBuilder<Row> };

const AGE = (since: string) =>
  sql`coalesce(max(extract(epoch from clock_timestamp() - ${sql.ref(since)})), 0)::float8`;
const HAS_LIVE = sql`exists (select 1 from deployment d where d.shard = s.id and d.ended_at is null)`;

/** Facts of all processes together, the same whoever asks. Labels are shards, statuses, tables and states: a bounded number. */
const QUESTIONS: readonly Question[] = [
  {
    name: 'trading_runners',
    help: 'Processes that hold leases on shards',
    ask: sql`select count(distinct owner) as value from shard where lease_until > clock_timestamp()`,
  },
  {
    name: 'trading_shards_unowned',
    help: 'Shards with running deployments and no lease',
    ask: sql`select count(*) as value from shard s where (s.lease_until > clock_timestamp()) is not true and ${HAS_LIVE}`,
  },
  {
    name: 'trading_shards_leased',
    help: 'Leases that are held',
    ask: sql`select count(*) as value from shard where lease_until > clock_timestamp()`,
  },
  {
    name: 'trading_shard_lag_seconds',
    help: 'How late the last tick of a shard was stored',
    labels: ['shard'],
    ask: sql`select id as shard, lag_ms / 1000.0 as value from shard where owner is not null`,
  },
  {
    name: 'trading_shard_tick_age_seconds',
    help: 'Since the last tick of a shard with running deployments',
    labels: ['shard'],
    ask: sql`select s.id as shard, extract(epoch from clock_timestamp() - coalesce(s.last_tick_at,
        (select min(started_at) from deployment d where d.shard = s.id and d.ended_at is null))) as value
      from shard s where ${HAS_LIVE}`,
  },
  {
    name: 'trading_shard_skipped_ticks_total',
    help: 'Ticks of a shard left out since the beginning',
    labels: ['shard'],
    ask: sql`select id as shard, skipped_ticks as value from shard`,
  },
  {
    name: 'trading_deployments_running',
    help: 'Deployments that have not ended',
    ask: sql`select count(*) as value from deployment where ended_at is null`,
  },
  {
    name: 'trading_orders',
    help: 'Orders that are not over, by status',
    labels: ['status'],
    ask: sql`select status, count(*) as value from trade_order
      where status in ('pending', 'queued', 'submitted', 'unknown', 'open', 'partially_filled') group by status`,
  },
  {
    name: 'trading_order_age_seconds',
    help: 'Age of the oldest order under way, by status',
    labels: ['status'],
    ask: sql`select status, ${AGE('updated_at')} as value from trade_order
      where status in ('queued', 'submitted', 'unknown') group by status`,
  },
  {
    name: 'trading_intents_waiting',
    help: 'Intents of ticks without a decision',
    ask: sql`select count(*) as value from intent_request`,
  },
  {
    name: 'trading_intent_age_seconds',
    help: 'Age of the oldest intent without a decision',
    ask: sql`select ${AGE('created_at')} as value from intent_request`,
  },
  {
    name: 'trading_table_bytes',
    help: 'Bytes of a table with its indexes',
    labels: ['table'],
    ask: sql`select relname as table, pg_total_relation_size(relid) as value from pg_stat_user_tables where schemaname = 'public'`,
  },
  {
    name: 'trading_dead_rows',
    help: 'Rows of a table that wait for vacuum',
    labels: ['table'],
    ask: sql`select relname as table, n_dead_tup as value from pg_stat_user_tables where schemaname = 'public'`,
  },
  {
    name: 'trading_database_sessions',
    help: 'Sessions of this database by state, where the role may see it',
    labels: ['state'],
    ask: sql`select coalesce(state, 'other') as state, count(*) as value from pg_stat_activity where datname = current_database() group by 1`,
  },
  {
    name: 'trading_longest_transaction_seconds',
    help: 'Age of the oldest open transaction',
    ask: sql`select ${AGE('xact_start')} as value from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  },
  {
    name: 'trading_transaction_id_age',
    help: 'Transactions since the oldest that is not frozen',
    ask: sql`select age(datfrozenxid) as value from pg_database where datname = current_database()`,
  },
];

/**
 * Shows what lies in the database, asked once in {@link HOLDS_MS} at most. Where it does not answer nothing of it is shown
 * but `trading_database_up`, which is 0.
 */
export function showDatabase(register: Registry, pool: Pool): { ask: () => Promise<void> } {
  const registers = [register];
  const up = new Gauge({ name: 'trading_database_up', help: '1 while the database answers', registers });
  const gauges = QUESTIONS.map(({ name, help, labels = [], ask }) => {
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers });
    return { gauge, labels, ask };
  });
  let askedMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function askAll(): Promise<void> {
    const db = systemDb(pool);
    try {
      for (const { gauge, labels, ask } of gauges) {
        const { rows } = await ask.execute(db);
        gauge.reset();
        for (const row of rows) {
          gauge.set(Object.fromEntries(labels.map((label) => [label, row[label] ?? ''])), Number(row.value));
        }
      }
      up.set(1);
    } catch {
      for (const { gauge } of gauges) gauge.remove();
      up.set(0);
    }
    askedMs = performance.now();
  }

  return {
    ask: async () => {
      if (performance.now() - askedMs < HOLDS_MS) return;
      asking ??= askAll().finally(() => {
        asking = null;
      });
      await asking;
    },
  };
}

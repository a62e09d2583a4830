import { sql } from 'kysely';
import { type Pool, systemDb } from '../../db/pool.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import type { Operations } from '../../routers/operator-services.ts';
import { SCHEDULED_COMMANDS } from '../kernel/scheduled-commands.ts';
import { QUEUED } from '../metrics/job-gauges.ts';
import { isAlive } from './heartbeat.ts';

/** Several operators, and pages that are open, cost one read in this time. */
const HELD_MS = 3_000;

/** Reads queues, processes and the database: counts and ages of what is under way, nothing of an account. */
export function operationsReader(pool: Pool, version: string): () => Promise<Operations> {
  let held: { readonly atMs: number; readonly read: Promise<Operations> } | null = null;
  return () => {
    const nowMs = performance.now();
    if (held === null || nowMs - held.atMs > HELD_MS) {
      const read = readOperations(pool, version);
      read.catch(() => {
        held = null;
      });
      held = { atMs: nowMs, read };
    }
    return held.read;
  };
}

async function readOperations(pool: Pool, version: string): Promise<Operations> {
  const db = systemDb(pool);
  const { rows: queues } = await sql<Operations['queues'][number]>`
    select name, (count(*) filter (where waits))::int as waiting, (count(*) filter (where not waits))::int as running,
      greatest(0, extract(epoch from clock_timestamp() - min(at) filter (where waits)))::float8 as "oldestSec"
    from (
      select queue as name, status = 'queued' as waits, created_at as at from (${QUEUED}) j
      union all select 'intent', true, created_at from intent_request
      union all select 'order', status = 'queued', updated_at from trade_order where status in ('queued', 'submitted', 'unknown')
      union all select 'notification', true, created_at from notification_delivery where status = 'waiting'
    ) q group by name order by name`.execute(db);
  const { rows: processes } = await sql<Operations['processes'][number]>`
    select p.id, p.role, p.version, p.host, p.started_at as "startedAt", p.seen_at as "seenAt",
      ${isAlive('p.seen_at')} as "isAlive", p.drains_since as "drainsSince",
      (select count(*)::int from shard s where s.owner = p.id and s.lease_until > clock_timestamp()) as shards,
      (select count(*)::int from venue_connection c where c.lease_owner = p.id::text and c.leased_until > clock_timestamp())
        as connections
    from process p order by p.started_at, p.id limit 200`.execute(db);
  const { rows: commands } = await sql<Operations['commands'][number]>`
    select n.name, o.ended_at as "endedAt", o.is_ok as "isOk", o.last_ok_at as "lastOkAt"
    from unnest(${[...SCHEDULED_COMMANDS]}::text[]) n (name) left join operation_run o on o.name = n.name
    order by n.name`.execute(db);
  const { rows: databases } = await sql<Operations['database']>`
    select pg_database_size(current_database())::float8 as bytes, split_part(current_setting('server_version'), ' ', 1) as version,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('archive_mode') <> 'off' as "isArchived", a.last_archived_time as "archivedAt",
      coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false) as "isArchiveFailing"
    from pg_stat_archiver a`.execute(db);
  const [database] = databases;
  if (database === undefined) throw new Error('The database returned no statistics.');
  return {
    version,
    queues,
    processes: processes.map((row) => ({
      ...row,
      startedAt: toIso(row.startedAt),
      seenAt: toIso(row.seenAt),
      drainsSince: toIsoOrNull(row.drainsSince),
    })),
    commands: commands.map((row) => ({
      ...row,
      endedAt: toIsoOrNull(row.endedAt),
      lastOkAt: toIsoOrNull(row.lastOkAt),
    })),
    database: { ...database, archivedAt: toIsoOrNull(database.archivedAt) },
  };
}

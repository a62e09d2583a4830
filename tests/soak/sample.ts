/** A sample of one moment: memory, files and connections of each process, rows and bytes of each table. */

import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { processTreeMemory, totalPssMib } from '../../bench/support/memory.ts';
import { systemDb } from '../../db/pool.ts';
import type { Running, ServiceProcess } from './processes.ts';

const MIB = 1_048_576;
const KIB_PER_MIB = 1_024;

export type ProcessSample = { readonly rssMib: number; readonly heapMib: number; readonly files: number };
export type TableSample = { readonly rows: number; readonly mib: number };
export type Sample = {
  /** Minute of the run, by the clock: minutes in which no sample could be taken are left out. */
  readonly minute: number;
  readonly processes: Readonly<Record<string, ProcessSample>>;
  readonly postgresMib: number;
  readonly connections: number;
  readonly folderFiles: number;
  readonly databaseMib: number;
  readonly walMib: number;
  readonly tables: Readonly<Record<string, TableSample>>;
};

export async function takeSample(running: Running, minute: number): Promise<Sample> {
  const db = systemDb(running.pool);
  await sql`analyze`.execute(db);
  const { rows: tables } = await sql<{ name: string; rows: number; bytes: number }>`
    select n.nspname || '.' || c.relname as name, greatest(c.reltuples, 0)::float8 as rows,
      pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'auth') order by 1`.execute(db);
  const { rows: whole } = await sql<{ bytes: number; wal: number; connections: number }>`
    select pg_database_size(current_database())::float8 as bytes,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections`.execute(
    db,
  );
  const [{ bytes, wal, connections } = { bytes: 0, wal: 0, connections: 0 }] = whole;
  const processes = await Promise.all(
    running.processes.map(async (one) => [one.name, await sampleProcess(one)] as const),
  );
  return {
    minute,
    processes: Object.fromEntries(processes),
    postgresMib: totalPssMib(processTreeMemory([running.postmasterPid()])),
    connections,
    folderFiles: readdirSync(running.dir, { recursive: true }).filter(isOurs).length,
    databaseMib: bytes / MIB,
    walMib: wal / MIB,
    tables: Object.fromEntries(
      tables.map(({ name, rows, bytes: size }) => [name, { rows, mib: size / MIB }]),
    ),
  };
}

/** Excludes files that PostgreSQL creates and recycles on its own schedule. */
const isOurs = (file: string | Buffer): boolean => !String(file).startsWith('database/data/');

async function sampleProcess({ pid, metrics }: ServiceProcess): Promise<ProcessSample> {
  const text = await fetch(metrics).then((answer) => answer.text());
  const heap = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    rssMib: Number(rss) / KIB_PER_MIB,
    heapMib: Number(heap) / MIB,
    files: readdirSync(`/proc/${pid}/fd`).length,
  };
}

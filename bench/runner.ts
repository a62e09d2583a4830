/**
 * Running deployments of 20-node graphs, of which 14 % have a transition in each tick: how many one runner process and
 * one PostgreSQL carry, how late their ticks are, and what they cost.
 *
 *   node bench/runner.ts [--deployments 10000,100000] [--period 10] [--seconds 60]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { openPool, systemDb } from '../db/pool.ts';
import { prepareDatabase } from '../db/prepare.ts';
import type { Db } from '../db/tables.ts';
import { processTreeMemory, totalPssMib } from './support/memory.ts';
import { processorSecondsOf, processorSecondsOfFamily } from './support/processor.ts';
import { fill } from './support/runner-world.ts';

/** 100,000 deployments every 10 s, on two cores that also carry the rest of the service. */
const TARGETS = { perSec: 10_000, lagP99Ms: 1_000, cores: 1.4 };
const SHARDS = 64;
const SAMPLE_MS = 200;
const PROCESS = path.join(import.meta.dirname, 'support/runner-process.ts');

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '10000,100000' },
    period: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
  },
});
const periodMs = Number(values.period) * 1_000;
const seconds = Number(values.seconds);

type Figures = {
  deployments: number;
  /** Deployments ticked per second. */
  perSec: number;
  /** Share of the ticks that wrote a row. */
  written: number;
  lagP50Ms: number;
  lagP99Ms: number;
  skippedTicks: number;
  runnerCores: number;
  postgresCores: number;
  runnerMib: number;
};

const figures: Figures[] = [];
for (const count of values.deployments.split(',').map(Number)) figures.push(await measure(count));
console.table(figures);
const last = figures.at(-1);
const ok =
  last !== undefined &&
  last.perSec >= Math.min(TARGETS.perSec, (last.deployments * 1_000) / periodMs) * 0.98 &&
  last.lagP99Ms < TARGETS.lagP99Ms &&
  last.runnerCores + last.postgresCores < TARGETS.cores;
if (!ok) process.exitCode = 1;
console.log(JSON.stringify({ bench: 'runner', figures, targets: TARGETS, ok }));

async function measure(count: number): Promise<Figures> {
  await using opened = new AsyncDisposableStack();
  const dir = mkdtempSync(path.join(tmpdir(), 'runner-bench-'));
  chmodSync(dir, 0o711);
  opened.defer(() => rmSync(dir, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
  opened.defer(() => server.stop());
  const { host, port, user, password, app } = server;
  const owner = { host, port, user, password, dbName: 'bench' };
  const connection = await prepareDatabase({ owner, app: { login: app } });
  const pool = await openPool(owner);
  opened.defer(() => pool.close());
  const db = systemDb(pool);
  await fill(db, count, SHARDS);

  const settings = JSON.stringify({ connection, shardCount: SHARDS, periodMs });
  const runner = fork(PROCESS, [settings], { stdio: 'inherit' });
  opened.defer(async () => {
    runner.kill('SIGTERM');
    await once(runner, 'exit');
  });
  await once(runner, 'message');
  await warmUp(db);
  return await observe(db, { count, runnerPid: runner.pid ?? 0, postmasterPid: postmasterOf(dir) });
}

/** Every shard has ticked, what was new is stored, and two periods have passed in peace. */
async function warmUp(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ ticking: number }>`
      select count(*)::int as ticking from shard where last_tick_at is not null`.execute(db);
    if (rows[0]?.ticking === SHARDS) break;
    await sleep(SAMPLE_MS);
  }
  await sleep(2 * periodMs);
}

async function observe(
  db: Db,
  { count, runnerPid, postmasterPid }: { count: number; runnerPid: number; postmasterPid: number },
): Promise<Figures> {
  const before = await counters(db);
  const cpu = { runner: processorSecondsOf(runnerPid), postgres: processorSecondsOfFamily(postmasterPid) };
  const startedMs = performance.now();
  const lags = await sampleLags(db, startedMs + seconds * 1_000);
  const tookSec = (performance.now() - startedMs) / 1_000;
  const after = await counters(db);
  const ticked = (lags.length * count) / SHARDS;
  const round = (value: number, places: number) => Number(value.toFixed(places));
  return {
    deployments: count,
    perSec: Math.round(ticked / tookSec),
    written: round((after.writes - before.writes) / ticked, 3),
    lagP50Ms: quantile(lags, 0.5),
    lagP99Ms: quantile(lags, 0.99),
    skippedTicks: after.skipped - before.skipped,
    runnerCores: round((processorSecondsOf(runnerPid) - cpu.runner) / tookSec, 2),
    postgresCores: round((processorSecondsOfFamily(postmasterPid) - cpu.postgres) / tookSec, 2),
    runnerMib: Math.round(totalPssMib(processTreeMemory([runnerPid]))),
  };
}

/** The lag of each tick as its shard's row tells it, until the time is over. */
async function sampleLags(db: Db, untilMs: number): Promise<number[]> {
  const lags: number[] = [];
  const seen = new Map<number, string>();
  let isFirst = true;
  while (performance.now() < untilMs) {
    for (const { id, last_tick_at, lag_ms } of await db.selectFrom('shard').selectAll().execute()) {
      if (last_tick_at === null || seen.get(id) === last_tick_at) continue;
      seen.set(id, last_tick_at);
      if (!isFirst) lags.push(lag_ms);
    }
    isFirst = false;
    await sleep(SAMPLE_MS);
  }
  return lags;
}

async function counters(db: Db): Promise<{ writes: number; skipped: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ writes: number; skipped: number }>`
    select (select n_tup_upd from pg_stat_user_tables where relname = 'deployment_state')::int as writes,
      (select sum(skipped_ticks) from shard)::int as skipped`.execute(db);
  return rows[0] ?? { writes: 0, skipped: 0 };
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}

function postmasterOf(dir: string): number {
  return Number(readFileSync(path.join(dir, 'db/data/postmaster.pid'), 'utf8').split('\n')[0]);
}

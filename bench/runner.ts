/**
 * Running deployments of 20-node graphs, of which 14 % have a transition in each tick. Reports how many one runner process and
 * one PostgreSQL carry, their tick lag, and their cost. `--candles` uses strategies on one-minute candles instead, all of which
 * update their memory once a minute. `--kill` kills one of two runners and measures how long its shards stop.
 *
 *   node bench/runner.ts [--deployments 10000,100000] [--period 10] [--seconds 60] [--candles] [--kill]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { processTreeMemory, totalPssMib } from './support/memory.ts';
import { processorSecondsOf, processorSecondsOfFamily } from './support/processor.ts';
import { quantileOf } from './support/quantile.ts';
import { openRunnerBench, SAMPLE_MS, SHARDS } from './support/runner-bench.ts';
import { onCandles } from './support/runner-world.ts';

/** 100,000 deployments every 10 s, on two cores that also carry the rest of the service. */
const TARGETS = { perSec: 10_000, lagP99Ms: 1_000, cores: 1.4 };

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '10000,100000' },
    period: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    candles: { type: 'boolean', default: false },
    kill: { type: 'boolean', default: false },
  },
});
const periodMs = Number(values.period) * 1_000;
const seconds = Number(values.seconds);
const isOnCandles = values.candles;

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

type Killed = { deployments: number; shardsTakenOver: number; secondsToTick: number; skippedTicks: number };

const figures: Figures[] = [];
const killed: Killed[] = [];
for (const count of values.deployments.split(',').map(Number)) figures.push(await measure(count));
const last = figures.at(-1);
console.table(figures);
if (values.kill) killed.push(await measureKill(last?.deployments ?? 0));
if (killed.length > 0) console.table(killed);
const ok =
  last !== undefined &&
  last.perSec >= Math.min(TARGETS.perSec, (last.deployments * 1_000) / periodMs) * 0.98 &&
  last.lagP99Ms < TARGETS.lagP99Ms &&
  last.runnerCores + last.postgresCores < TARGETS.cores;
if (!ok) process.exitCode = 1;
console.log(JSON.stringify({ bench: 'runner', figures, killed, targets: TARGETS, ok }));

async function measure(count: number): Promise<Figures> {
  await using bench = await openRunnerBench({ count, periodMs, ...(isOnCandles && { draw: onCandles }) });
  await sleep(2 * periodMs);
  const { db, runners, postmasterPid } = bench;
  return await observe(db, { count, runnerPid: runners[0]?.pid ?? 0, postmasterPid });
}

/** Kills one of two runners: how long until each shard has ticked again, and how many ticks were missed. */
async function measureKill(count: number): Promise<Killed> {
  await using bench = await openRunnerBench({ count, periodMs, runners: 2 });
  const { db, runners } = bench;
  await sleep(2 * periodMs);
  const before = await counters(db);
  const owners = await ownersOf(db);
  const killedMs = performance.now();
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  const killedAt = rows[0]?.now ?? '';
  runners[0]?.kill('SIGKILL');
  while (!(await haveAllTickedSince(db, killedAt))) await sleep(SAMPLE_MS);
  const secondsToTick = (performance.now() - killedMs) / 1_000;
  const after = await ownersOf(db);
  return {
    deployments: count,
    shardsTakenOver: [...after].filter(([id, owner]) => owners.get(id) !== owner).length,
    secondsToTick: Number(secondsToTick.toFixed(1)),
    skippedTicks: (await counters(db)).skipped - before.skipped,
  };
}

async function ownersOf(db: Db): Promise<Map<number, string | null>> {
  const rows = await db.selectFrom('shard').select(['id', 'owner']).execute();
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}

async function haveAllTickedSince(db: Db, since: string): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from shard where last_tick_at < ${since}::timestamptz`.execute(db);
  return rows[0]?.waiting === 0;
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
    lagP50Ms: quantileOf(lags, 0.5, 3),
    lagP99Ms: quantileOf(lags, 0.99, 3),
    skippedTicks: after.skipped - before.skipped,
    runnerCores: round((processorSecondsOf(runnerPid) - cpu.runner) / tookSec, 2),
    postgresCores: round((processorSecondsOfFamily(postmasterPid) - cpu.postgres) / tookSec, 2),
    runnerMib: Math.round(totalPssMib(processTreeMemory([runnerPid]))),
  };
}

/** Samples the lag of each tick from its shard's row until `untilMs`. */
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

/**
 * Cost of 1,000, 10,000 and 100,000 running strategies on one-minute candles, and their lag at the minute. Reports processor
 * time, write-ahead log, rows and memory, each with its growth from the row before. Each strategy updates its memory with every
 * candle and places no orders. Before measuring, it vacuums and makes a checkpoint, so that the rows just filled in do not
 * count. The log is that of a time between two checkpoints, including the full pages after one.
 *
 * The lag is that of each strategy and candle. It starts when the tick of its shard is due, the first after the close. It ends
 * when the runner knows that the tick is stored. The strategies of a shard are stored together. So each minute has as many
 * values as there are shards with strategies.
 *
 *   node bench/scale.ts [--deployments 1000,10000,100000] [--minutes 10] [--accounts 100] [--runners 1] [--latency-ms 0]
 *
 * `--accounts` divides the strategies evenly; ten belong to each without it. `--latency-ms` delays each answer of the database
 * to the runners. Ctrl-C ends it and removes its database. The last line is JSON: { bench, figures, targets, ok }.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { DatabaseConnection } from '../db/orm.ts';
import { openPool } from '../db/pool.ts';
import type { Db } from '../db/tables.ts';
import { finishBeforeStopping } from '../server/kernel/stop-signal.ts';
import { processTreeMemory, totalPssMib } from './support/memory.ts';
import { MinuteLag, type MinuteLagFigures } from './support/minute-lag.ts';
import { processorSecondsOf, processorSecondsOfFamily } from './support/processor.ts';
import { quantileOf } from './support/quantile.ts';
import { openRunnerBench, SHARDS } from './support/runner-bench.ts';
import { onCandles, PER_ACCOUNT } from './support/runner-world.ts';

/** Upper bounds: memory of the runner and log of each additional idle strategy, and the lag at the minute. */
const TARGETS = { runnerKibEach: 12, walBytesEachMin: 200, lagP99Ms: 1_000 };
/** The period of the service. */
const PERIOD_MS = 2_000;
const MINUTE_MS = 60_000;
const BYTES_PER_KIB = 1_024;
const KIB_PER_MIB = 1_024;
const ROUND_TRIPS = 100;

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '1000,10000,100000' },
    minutes: { type: 'string', default: '10' },
    accounts: { type: 'string' },
    runners: { type: 'string', default: '1' },
    'latency-ms': { type: 'string', default: '0' },
  },
});
const minutes = Number(values.minutes);
const signal = finishBeforeStopping();

type Figures = MinuteLagFigures & {
  deployments: number;
  accounts: number;
  /** Median time of an empty statement by the way of the runners. */
  roundTripMs: number;
  /** Processor seconds in a minute. */
  runnerSecPerMin: number;
  postgresSecPerMin: number;
  walKibPerMin: number;
  rows: number;
  databaseMib: number;
  runnerMib: number;
  postgresMib: number;
  connections: number;
  skippedTicks: number;
};

const figures: Figures[] = [];
try {
  for (const count of values.deployments.split(',').map(Number)) figures.push(await measure(count));
} catch (error) {
  if (!signal.aborted) throw error;
  console.error('\nEnded by a signal.');
  process.exit(130);
}
const labelled = figures.map(withGrowth);
console.table(
  Object.fromEntries(Object.keys(labelled[0] ?? {}).map((name) => [name, labelled.map((row) => row[name])])),
);
const [first, last] = [figures.at(0), figures.at(-1)];
const each = first && last ? eachOf(first, last) : { runnerKibEach: 0, walBytesEachMin: 0 };
console.log(
  `A strategy more: ${each.runnerKibEach} KiB of the runner's memory, ${each.walBytesEachMin} bytes of log a minute.`,
);
const isInTime = figures.every(
  ({ storedShare, lagP99Ms }) => storedShare === 1 && lagP99Ms <= TARGETS.lagP99Ms,
);
const ok =
  isInTime && each.runnerKibEach <= TARGETS.runnerKibEach && each.walBytesEachMin <= TARGETS.walBytesEachMin;
if (!ok) process.exitCode = 1;
console.log(JSON.stringify({ bench: 'scale', figures, each, targets: TARGETS, ok }));

async function measure(count: number): Promise<Figures> {
  const perAccount = values.accounts === undefined ? PER_ACCOUNT : Math.ceil(count / Number(values.accounts));
  const lag = new MinuteLag({ shardCount: SHARDS, periodMs: PERIOD_MS });
  await using bench = await openRunnerBench({
    count,
    perAccount,
    periodMs: PERIOD_MS,
    draw: onCandles,
    runners: Number(values.runners),
    latencyMs: Number(values['latency-ms']),
    onTick: (tick) => lag.add(tick),
    signal,
  });
  const { db, runners, postmasterPid, connection } = bench;
  const pids = runners.map(({ pid = 0 }) => pid);
  const runnerSeconds = () => pids.reduce((sum, pid) => sum + processorSecondsOf(pid), 0);
  const roundTripMs = await roundTripOf(connection);
  // Waits until new rows are stored and candles have closed.
  await wait(MINUTE_MS * Math.min(1, minutes));
  await sql`vacuum`.execute(db);
  await sql`checkpoint`.execute(db);
  if (minutes >= 1) await untilHalfMinute();
  const before = await counters(db);
  const cpu = { runner: runnerSeconds(), postgres: processorSecondsOfFamily(postmasterPid) };
  const [startedMs, fromMs] = [performance.now(), Date.now()];
  await wait(minutes * MINUTE_MS);
  const tookMin = (performance.now() - startedMs) / MINUTE_MS;
  const span = { fromMs, untilMs: Date.now() };
  const after = await counters(db);
  const perMin = (amount: number) => round(amount / tookMin, 1);
  return {
    deployments: count,
    accounts: Math.ceil(count / perAccount),
    roundTripMs,
    ...lag.figures(count, span),
    runnerSecPerMin: perMin(runnerSeconds() - cpu.runner),
    postgresSecPerMin: perMin(processorSecondsOfFamily(postmasterPid) - cpu.postgres),
    walKibPerMin: perMin((after.wal - before.wal) / BYTES_PER_KIB),
    rows: after.rows,
    databaseMib: round(after.bytes / BYTES_PER_KIB / KIB_PER_MIB, 1),
    runnerMib: Math.round(totalPssMib(processTreeMemory(pids))),
    postgresMib: Math.round(totalPssMib(processTreeMemory([postmasterPid]))),
    connections: after.connections,
    skippedTicks: after.skipped - before.skipped,
  };
}

async function wait(ms: number): Promise<void> {
  await sleep(ms, undefined, { signal });
}

/** Gives the last candle of the time half a minute to be stored. */
async function untilHalfMinute(): Promise<void> {
  await wait((1.5 * MINUTE_MS - (Date.now() % MINUTE_MS)) % MINUTE_MS);
}

async function roundTripOf(connection: DatabaseConnection): Promise<number> {
  const pool = await openPool(connection);
  const tookMs: number[] = [];
  for (let trip = 0; trip < ROUND_TRIPS; trip++) {
    const sentMs = performance.now();
    await pool.native.query('select');
    tookMs.push(performance.now() - sentMs);
  }
  await pool.close();
  return quantileOf(tookMs, 0.5, 2);
}

type Counters = { wal: number; rows: number; bytes: number; skipped: number; connections: number };

async function counters(db: Db): Promise<Counters> {
  const { rows } = await sql<Counters>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select sum(n_live_tup) from pg_stat_user_tables)::float8 as rows,
      pg_database_size(current_database())::float8 as bytes,
      (select sum(skipped_ticks) from shard)::int as skipped,
      (select count(*) from pg_stat_activity where backend_type = 'client backend' and usename <> current_user)::int
        as connections`.execute(db);
  return rows[0] ?? { wal: 0, rows: 0, bytes: 0, skipped: 0, connections: 0 };
}

/** Adds to each figure, in brackets, its ratio to the row before. */
function withGrowth(row: Figures, index: number): Record<string, string | number> {
  const previous = figures[index - 1];
  if (previous === undefined) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const was = previous[name as keyof Figures];
      return [name, was > 0 ? `${value} (x ${round(value / was, 1)})` : value];
    }),
  );
}

/** Returns the cost of one more strategy, between the smallest number and the largest. */
function eachOf(small: Figures, large: Figures) {
  const more = Math.max(1, large.deployments - small.deployments);
  return {
    runnerKibEach: round(((large.runnerMib - small.runnerMib) * KIB_PER_MIB) / more, 1),
    walBytesEachMin: Math.round(((large.walKibPerMin - small.walKibPerMin) * BYTES_PER_KIB) / more),
  };
}

function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}

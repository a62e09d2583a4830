/**
 * Cost of 1,000, 10,000 and 100,000 running strategies on one-minute candles, for one runner and one PostgreSQL. Reports
 * processor time, write-ahead log, rows and memory, each with its growth from the row before. Each strategy updates its memory
 * with every candle and places no orders. Before measuring, it vacuums and makes a checkpoint, so that the rows just filled in
 * do not count. The log is that of a time between two checkpoints, including the full pages after one.
 *
 *   node bench/scale.ts [--deployments 1000,10000,100000] [--minutes 10]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { processTreeMemory, totalPssMib } from './support/memory.ts';
import { processorSecondsOf, processorSecondsOfFamily } from './support/processor.ts';
import { openRunnerBench } from './support/runner-bench.ts';
import { onCandles } from './support/runner-world.ts';

/** Upper bounds per additional strategy: memory of the runner, and write-ahead log of an idle strategy. */
const TARGETS = { runnerKibEach: 12, walBytesEachMin: 200 };
const PERIOD_MS = 10_000;
const MINUTE_MS = 60_000;
const BYTES_PER_KIB = 1_024;
const KIB_PER_MIB = 1_024;

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '1000,10000,100000' },
    minutes: { type: 'string', default: '10' },
  },
});
const minutes = Number(values.minutes);

type Figures = {
  deployments: number;
  /** Processor seconds in a minute. */
  runnerSecPerMin: number;
  postgresSecPerMin: number;
  walKibPerMin: number;
  rows: number;
  databaseMib: number;
  runnerMib: number;
  skippedTicks: number;
};

const figures: Figures[] = [];
for (const count of values.deployments.split(',').map(Number)) figures.push(await measure(count));
console.table(figures.map(withGrowth));
const [first, last] = [figures.at(0), figures.at(-1)];
const each = first && last ? eachOf(first, last) : { runnerKibEach: 0, walBytesEachMin: 0 };
console.log(
  `A strategy more: ${each.runnerKibEach} KiB of the runner's memory, ${each.walBytesEachMin} bytes of log a minute.`,
);
const ok = each.runnerKibEach <= TARGETS.runnerKibEach && each.walBytesEachMin <= TARGETS.walBytesEachMin;
if (!ok) process.exitCode = 1;
console.log(JSON.stringify({ bench: 'scale', figures, each, targets: TARGETS, ok }));

async function measure(count: number): Promise<Figures> {
  await using bench = await openRunnerBench({ count, periodMs: PERIOD_MS, draw: onCandles });
  const { db, runners, postmasterPid } = bench;
  const runnerPid = runners[0]?.pid ?? 0;
  // Waits until new rows are stored and candles have closed.
  await sleep(MINUTE_MS * Math.min(1, minutes));
  await sql`vacuum`.execute(db);
  await sql`checkpoint`.execute(db);
  const before = await counters(db);
  const cpu = { runner: processorSecondsOf(runnerPid), postgres: processorSecondsOfFamily(postmasterPid) };
  const startedMs = performance.now();
  await sleep(minutes * MINUTE_MS);
  const tookMin = (performance.now() - startedMs) / MINUTE_MS;
  const after = await counters(db);
  const perMin = (amount: number) => round(amount / tookMin, 1);
  return {
    deployments: count,
    runnerSecPerMin: perMin(processorSecondsOf(runnerPid) - cpu.runner),
    postgresSecPerMin: perMin(processorSecondsOfFamily(postmasterPid) - cpu.postgres),
    walKibPerMin: perMin((after.wal - before.wal) / BYTES_PER_KIB),
    rows: after.rows,
    databaseMib: round(after.bytes / BYTES_PER_KIB / KIB_PER_MIB, 1),
    runnerMib: Math.round(totalPssMib(processTreeMemory([runnerPid]))),
    skippedTicks: after.skipped - before.skipped,
  };
}

type Counters = { wal: number; rows: number; bytes: number; skipped: number };

async function counters(db: Db): Promise<Counters> {
  const { rows } = await sql<Counters>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select sum(n_live_tup) from pg_stat_user_tables)::float8 as rows,
      pg_database_size(current_database())::float8 as bytes,
      (select sum(skipped_ticks) from shard)::int as skipped`.execute(db);
  return rows[0] ?? { wal: 0, rows: 0, bytes: 0, skipped: 0 };
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

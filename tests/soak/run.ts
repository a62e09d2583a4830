/**
 * Runs the whole service under a mixed load for a long time: several accounts with running strategies, orders and approvals.
 * They read over REST and tRPC, follow streams of events, run backtests, and create and delete graphs.
 *
 *   npm run test:soak -- [--minutes 120] [--accounts 6] [--dir /var/tmp/soak]
 *
 * Each minute memory, open files, connections and table sizes are sampled and the invariants are checked. SIGINT ends it early
 * in order. The last line is JSON: { soak, figures, broken, wrong, grew, ok }; exit code 0 if nothing is wrong.
 */

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemDb } from '../../db/pool.ts';
import { findBroken } from './invariants.ts';
import { type Running, startAll } from './processes.ts';
import { type Sample, takeSample } from './sample.ts';
import { Tally } from './tally.ts';
import { Trader } from './trader.ts';
import { findGrowth } from './verdict.ts';

const MINUTE_MS = 60_000;
const SHOWN_MAX = 20;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: process.env['SOAK_MINUTES'] ?? '120' },
    accounts: { type: 'string', default: '6' },
    dir: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const dir = values.dir ?? mkdtempSync(path.join(tmpdir(), 'soak-'));
mkdirSync(dir, { recursive: true });
chmodSync(dir, 0o711);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

const running = await startAll(dir);
try {
  await soak(running);
} finally {
  await running.close();
  if (values.dir === undefined) rmSync(dir, { recursive: true, force: true });
}

async function soak(service: Running): Promise<void> {
  const tally = new Tally();
  const ending = new AbortController();
  const traders: Trader[] = [];
  for (let index = 0; index < Number(values.accounts); index++)
    traders.push(await Trader.open(service.base, { tally, ending: ending.signal }));
  const working = Promise.all(traders.map((trader) => trader.work()));
  const samples: Sample[] = [];
  const broken: string[] = [];
  let reported = 0;
  const startedMs = performance.now();
  const nextMinute = () => Math.floor((performance.now() - startedMs) / MINUTE_MS) + 1;
  for (let minute = 1; minute <= minutes && !stopping.signal.aborted; minute = nextMinute()) {
    await pauseUntil(startedMs + minute * MINUTE_MS);
    const checkedMs = performance.now();
    const found = await look(service, { minute, samples });
    const ended = endedOf(service);
    // Without it the rest proves nothing.
    if (ended.length > 0) stopping.abort();
    const now = [...found, ...ended].map((line) => `minute ${minute}: ${line}`);
    for (const line of [...now, ...tally.wrong.slice(reported)].slice(0, SHOWN_MAX)) console.error(line);
    reported = tally.wrong.length;
    broken.push(...now);
    const last = samples.at(-1);
    if (last !== undefined) tell(last, { tally, broken, checkSec: (performance.now() - checkedMs) / 1_000 });
  }
  const tookMin = (performance.now() - startedMs) / MINUTE_MS;
  ending.abort();
  await working;
  report(service, { tally, samples, broken, tookMin });
}

/** Takes one more sample and checks the invariants; a database that does not answer violates them. */
async function look(
  service: Running,
  { minute, samples }: { minute: number; samples: Sample[] },
): Promise<string[]> {
  try {
    samples.push(await takeSample(service, minute));
    return await findBroken(systemDb(service.pool));
  } catch (error) {
    return [`not looked at: ${String(error)}`];
  }
}

async function pauseUntil(atMs: number): Promise<void> {
  const waitMs = Math.max(0, atMs - performance.now());
  await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
}

function endedOf({ processes }: Running): string[] {
  return processes.flatMap(({ name, ended }) => {
    const how = ended();
    return how === null ? [] : [`${name} has ended ${how}`];
  });
}

type Progress = { tally: Tally; broken: readonly string[]; checkSec: number };

function tell(sample: Sample, { tally, broken, checkSec }: Progress): void {
  const memory = Object.entries(sample.processes).map(
    ([name, { rssMib, heapMib, files }]) =>
      `${name} ${rssMib.toFixed(0)}/${heapMib.toFixed(0)} MiB ${files} files`,
  );
  const counts = `${tally.requests} requests, ${tally.events} events, ${tally.wrong.length} wrong, ${broken.length} broken`;
  console.log(
    `minute ${sample.minute}: ${memory.join(', ')}, PostgreSQL ${sample.postgresMib.toFixed(0)} MiB, ${sample.connections} connections, ` +
      `database ${sample.databaseMib.toFixed(0)} MiB; ${counts}; checked in ${checkSec.toFixed(1)} s`,
  );
}

type Outcome = { tally: Tally; samples: readonly Sample[]; broken: readonly string[]; tookMin: number };

function report({ processes }: Running, { tally, samples, broken, tookMin }: Outcome): void {
  const lines = findGrowth(samples);
  const round = (value: number) => Number(value.toFixed(1));
  console.table(
    lines
      .filter(({ before, after }) => before >= 0.1 || after >= 0.1)
      .map(({ before, after, ...line }) => ({ ...line, before: round(before), after: round(after) })),
  );
  const grew = lines.filter((line) => line.grew).map(({ what }) => what);
  const errors = processes.flatMap(({ name, errors: said }) => said.map((line) => `${name}: ${line}`));
  for (const line of errors.slice(0, SHOWN_MAX)) console.error(line);
  const [first, last] = [samples.at(0), samples.at(-1)];
  const figures = {
    minutes: round(tookMin),
    requests: tally.requests,
    events: tally.events,
    orders: last?.tables['public.trade_order']?.rows ?? 0,
    fills: last?.tables['public.fill']?.rows ?? 0,
    databaseMib: round(last?.databaseMib ?? 0),
    walMibPerMin: round(
      ((last?.walMib ?? 0) - (first?.walMib ?? 0)) / Math.max(1, (last?.minute ?? 1) - (first?.minute ?? 1)),
    ),
    loggedErrors: errors.length,
    refusals: tally.refusals(),
  };
  const ok = broken.length === 0 && tally.wrong.length === 0 && grew.length === 0;
  if (!ok) process.exitCode = 1;
  console.log(
    JSON.stringify({ soak: 'mixed', figures, broken: broken.length, wrong: tally.wrong.length, grew, ok }),
  );
}

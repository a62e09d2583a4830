/**
 * Start times and memory of the service: a first start on an empty folder (database, migrations, demo), and a start on existing
 * data. Memory is that of all our processes, including the database, once the demo has run for a while.
 *
 *   node bench/start.ts [--rounds 3] [--settle-sec 300]
 *
 * The last line is JSON: { bench, figures, targets, ok }. Linux only, because memory is read from /proc.
 */

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPostmaster } from '../db/embedded/postmaster.ts';
import { type Checkout, makeCheckout } from './support/checkout.ts';
import { type ProcessMemory, processTreeMemory, totalPssMib } from './support/memory.ts';
import { type Service, startService } from './support/service.ts';

/** Upper bounds: a start that feels instant, and a quarter of the smallest rentable machine. */
const TARGETS = { coldStartSec: 6, warmStartSec: 3, pssMib: 250 };
const SAMPLE_SEC = 10;

type Starts = {
  coldStartSec: number[];
  warmStartSec: number[];
  stopSec: number[];
};

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, 'settle-sec': { type: 'string', default: '300' } },
});
const checkout = makeCheckout();
try {
  const starts = await measureStarts(checkout, Number(values.rounds));
  const memory = await measureMemory(checkout, Number(values['settle-sec']));
  report(starts, memory);
} finally {
  checkout.remove();
}

/** Measures per round a first start, and a second one on the data of the first. */
async function measureStarts({ project, reset }: Checkout, rounds: number): Promise<Starts> {
  const starts: Starts = { coldStartSec: [], warmStartSec: [], stopSec: [] };
  for (let round = 0; round < rounds; round++) {
    reset();
    for (const times of [starts.coldStartSec, starts.warmStartSec]) {
      const service = await startService(project);
      times.push(service.startSec);
      starts.stopSec.push(await service.stop());
    }
  }
  return starts;
}

/** Measures the memory at the end of the settling time, and the highest sum until then. */
async function measureMemory({ project, dataDir, reset }: Checkout, settleSec: number) {
  reset();
  const service = await startService(project);
  try {
    let peakMib = 0;
    const until = performance.now() + settleSec * 1_000;
    while (performance.now() < until) {
      await sleep(Math.min(SAMPLE_SEC * 1_000, until - performance.now()));
      peakMib = Math.max(peakMib, totalPssMib(readMemory(service, dataDir)));
    }
    const processes = readMemory(service, dataDir);
    return { settleSec, processes, peakMib: Math.max(peakMib, totalPssMib(processes)) };
  } finally {
    await service.stop();
  }
}

/** The database server is detached, so its processes are not children of the service. */
function readMemory(service: Service, dataDir: string): ProcessMemory[] {
  const postmaster = findPostmaster(path.join(dataDir, 'data'));
  if (!postmaster) throw new Error(`No database server runs in ${dataDir}`);
  return processTreeMemory([service.pid, postmaster.pid]);
}

function report(starts: Starts, memory: Awaited<ReturnType<typeof measureMemory>>): void {
  const figures = {
    coldStartSec: round(median(starts.coldStartSec)),
    warmStartSec: round(median(starts.warmStartSec)),
    stopSec: round(median(starts.stopSec)),
    pssMib: round(totalPssMib(memory.processes)),
    pssPeakMib: round(memory.peakMib),
    processCount: memory.processes.length,
    settleSec: memory.settleSec,
  };
  const range = (times: number[]) => `${round(Math.min(...times))} to ${round(Math.max(...times))}`;
  console.table({
    'first start, s': {
      median: figures.coldStartSec,
      range: range(starts.coldStartSec),
      target: `< ${TARGETS.coldStartSec}`,
    },
    'next start, s': {
      median: figures.warmStartSec,
      range: range(starts.warmStartSec),
      target: `< ${TARGETS.warmStartSec}`,
    },
    'stop, s': { median: figures.stopSec, range: range(starts.stopSec), target: '' },
    [`memory after ${memory.settleSec} s, MiB`]: {
      median: figures.pssMib,
      range: `peak ${figures.pssPeakMib}`,
      target: `< ${TARGETS.pssMib}`,
    },
  });
  console.table(
    memory.processes.map(({ name, pssMib }) => ({ process: name.slice(0, 60), 'PSS, MiB': round(pssMib) })),
  );
  const ok =
    figures.coldStartSec < TARGETS.coldStartSec &&
    figures.warmStartSec < TARGETS.warmStartSec &&
    figures.pssMib < TARGETS.pssMib;
  console.log(JSON.stringify({ bench: 'start', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

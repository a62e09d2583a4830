/** Row 37: the service as a user starts it, with sweeps running in it, and the response time of `GET /health` meanwhile. */

import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import { connectDatabase } from '../../server/kernel/connect-database.ts';
import { daysAgo, storeCandles } from '../../tests/e2e/support/history.ts';
import { type ServiceProcess, startServiceProcess } from '../../tests/e2e/support/service-process.ts';
import { crossingGraph } from '../../tests/support/backtest.ts';
import { openCaller } from './http-world.ts';

const DAYS = 40;
/** The pause between two requests. */
const PAUSE_MS = 20;
const START_MS = 60_000;

export type HealthTimes = { readonly quietP99Ms: number; readonly busyP99Ms: number };

/** Measures the response time of `/health`, alone and with `sweeps` sweeps, one account each. */
export async function healthDuringSweeps(sweeps: number, seconds: number): Promise<HealthTimes> {
  const service = await startServiceProcess({ CONSOLE_BUILD: '0', DEMO: '0', LOG_LEVEL: 'warn' });
  try {
    await storeCandles(service.dataDir, DAYS);
    const keys = await keysOf(service, sweeps);
    const quietP99Ms = await healthP99(service, seconds);
    const started = await Promise.all(keys.map((key) => startSweep(service, key)));
    await untilRunning(service, started);
    const busyP99Ms = await healthP99(service, seconds);
    for (const { id, status } of await sweepsNow(service, started))
      if (status !== 'running') throw new Error(`Sweep ${id} was ${status} before the end.`);
    return { quietP99Ms, busyP99Ms };
  } finally {
    await service.stop();
  }
}

async function keysOf({ dataDir }: ServiceProcess, count: number): Promise<string[]> {
  const unnamed = {
    databaseUrl: null,
    databaseDirectUrl: null,
    migrationDatabaseUrl: null,
    walArchive: null,
  };
  const { access, release } = await connectDatabase({ ...unnamed, dataDir }, () => {});
  const pool = await openPool(await prepareDatabase(access, () => {}));
  try {
    return await Promise.all(Array.from({ length: count }, async () => (await openCaller(pool)).key));
  } finally {
    await pool.close();
    await release();
  }
}

type Started = { readonly key: string; readonly id: string };

async function ask<Answer>(
  { base }: ServiceProcess,
  key: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${base}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** More trials than can finish in the time. */
async function startSweep(service: ServiceProcess, key: string): Promise<Started> {
  const periods = (from: number) => Array.from({ length: 100 }, (_, at) => from + at);
  const { id } = await ask<{ id: string }>(service, key, '/sweeps', {
    visual: crossingGraph(10, 30, 0.01),
    from: daysAgo(DAYS - 5),
    to: daysAgo(0),
    space: {
      dimensions: [
        { pointer: '/nodes/1/data/config/period', values: periods(2) },
        { pointer: '/nodes/2/data/config/period', values: periods(110) },
      ],
    },
  });
  return { key, id };
}

type SweepNow = { id: string; status: string; progress: { done: number } | null };

const sweepsNow = (service: ServiceProcess, started: readonly Started[]) =>
  Promise.all(started.map(({ key, id }) => ask<SweepNow>(service, key, `/sweeps/${id}`)));

async function untilRunning(service: ServiceProcess, started: readonly Started[]): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const now = await sweepsNow(service, started);
    if (now.every(({ status, progress }) => status === 'running' && (progress?.done ?? 0) > 0)) return;
    await sleep(200);
  }
  throw new Error('The sweeps did not begin within a minute.');
}

async function healthP99({ base }: ServiceProcess, seconds: number): Promise<number> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const askedMs = performance.now();
    const response = await fetch(`${base}/health`);
    await response.body?.cancel();
    if (response.status !== 200) throw new Error(`/health answered ${response.status}`);
    times.push(performance.now() - askedMs);
    await sleep(PAUSE_MS);
  }
  times.sort((a, b) => a - b);
  return Number((times[Math.floor(times.length * 0.99)] ?? Number.NaN).toFixed(1));
}

/** Measures an attack from outside: whether the service answers, whether stop-all works, and how much memory it costs. */

import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import type { Fortress } from './fortress.ts';
import type { NeighbourReport } from './watcher.ts';

const HEALTH_MS = 1_000;
const BRAKE_MS = 2_000;
const MEMORY_MB = 512;

export type AttackFigures = NeighbourReport & { grownMb: number; tookMs: number };

/**
 * Runs attacks while a neighbour at another address requests `/health` and stops all its blueprints, repeatedly.
 *
 * `/health` must answer within a second, stop-all within two, and nothing may be refused. The process may never
 * hold 512 MiB more than before. On a busy machine the time limits grow in proportion, and a failure is tried twice.
 */
export async function expectWithstood(
  fortress: Fortress,
  attack: () => Promise<unknown>,
): Promise<AttackFigures> {
  const first = await witness(fortress, attack);
  const noticed = isWithin(first) ? first : await witness(fortress, attack);
  expect(noticed).toEqual({ ...noticed, refused: [] });
  expect(noticed.health).toBeGreaterThan(0);
  expect(noticed.healthMs, JSON.stringify(noticed)).toBeLessThan(HEALTH_MS * noticed.crowding);
  expect(noticed.brakeMs, JSON.stringify(noticed)).toBeLessThan(BRAKE_MS * noticed.crowding);
  expect(noticed.grownMb, JSON.stringify(noticed)).toBeLessThan(MEMORY_MB);
  expect(fortress.isAlive()).toBe(true);
  return noticed;
}

const isWithin = ({ refused, healthMs, brakeMs, grownMb, crowding }: AttackFigures): boolean =>
  refused.length === 0 &&
  healthMs < HEALTH_MS * crowding &&
  brakeMs < BRAKE_MS * crowding &&
  grownMb < MEMORY_MB;

async function witness(fortress: Fortress, attack: () => Promise<unknown>): Promise<AttackFigures> {
  const { key } = await fortress.account();
  const idleMb = memoryOf(fortress.pid, 'VmRSS');
  forgetPeak(fortress.pid);
  const watcher = await startWatcher(fortress.base, key);
  const startedAt = performance.now();
  await attack();
  const tookMs = Math.round(performance.now() - startedAt);
  const seen = await watcher.end();
  return { ...seen, tookMs, grownMb: Math.round(memoryOf(fortress.pid, 'VmHWM') - idleMb) };
}

/** Starts a thread of its own, so that the service is measured and not the attacker. */
async function startWatcher(base: string, key: string) {
  const worker = new Worker(new URL('./watcher.ts', import.meta.url), { workerData: { base, key } });
  await nextMessage(worker);
  return {
    async end(): Promise<NeighbourReport> {
      const seen = nextMessage(worker);
      worker.postMessage('end');
      return (await seen) as NeighbourReport;
    },
  };
}

const nextMessage = (worker: Worker): Promise<unknown> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });

/** Resident memory of a process in MiB, now or the peak since {@link forgetPeak}. Linux. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

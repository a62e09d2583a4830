import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Pool } from '../../db/pool.ts';

/** Gauges that the library names as counters; `nodejs_active_resources` and its siblings report the same by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Facts of this process, read at each scrape. */
export type ProcessReadings = {
  version: string;
  role: string;
  pool: Pool;
  /** The folder of the built-in database; null if the database is elsewhere. */
  dataDir: string | null;
  /** Open event streams. */
  streams: () => number;
  /** Whether no runner lives, as far as this process knows. */
  isRunnerMissing: () => boolean;
};

/** Reports memory, event loop, garbage collection, connections, streams, and the build. */
export function reportProcessMetrics(register: Registry, facts: ProcessReadings): void {
  const { version, role, pool, dataDir, streams, isRunnerMissing } = facts;
  const registers = [register];
  collectDefaultMetrics({ register });
  for (const name of MISNAMED) register.removeSingleMetric(name);
  new Gauge({
    name: 'trading_memory_limit_bytes',
    help: 'Memory this process may take: of its container, else of the machine',
    registers,
    collect() {
      const limit = process.constrainedMemory();
      this.set(limit > 0 && limit < totalmem() ? limit : totalmem());
    },
  });
  if (dataDir !== null) showDisk(registers, dataDir);
  new Gauge({
    name: 'trading_build_info',
    help: 'Always 1; which version runs in which role',
    labelNames: ['version', 'role', 'node'],
    registers,
  }).set({ version, role, node: process.version }, 1);
  new Gauge({
    name: 'trading_pool_connections',
    help: 'Connections to the database: in use, idle, and requests that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(pool.load)) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'trading_event_streams',
    help: 'Event streams that are open',
    registers,
    collect() {
      this.set(streams());
    },
  });
  new Gauge({
    name: 'trading_runner_missing',
    help: '1 where this process finds that no runner lives',
    registers,
    collect() {
      this.set(isRunnerMissing() ? 1 : 0);
    },
  });
}

function showDisk(registers: Registry[], dataDir: string): void {
  new Gauge({
    name: 'trading_disk_free_ratio',
    help: 'Part of the disk under the built-in database that is free, 0 to 1',
    registers,
    async collect() {
      // Without the folder this gauge is empty, and the rest of the page is served.
      const disk = await statfs(dataDir).catch(() => null);
      if (disk === null) this.remove();
      else this.set(disk.bavail / disk.blocks);
    },
  });
}

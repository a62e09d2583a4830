import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Pool } from '../../db/pool.ts';

/** What of this process is looked at when somebody asks. */
export type ProcessFacts = {
  version: string;
  role: string;
  pool: Pool;
  /** Event streams that are open. */
  streams: () => number;
  /** Whether no runner lives, as far as this process knows. */
  isRunnerMissing: () => boolean;
};

/** Memory, event loop, garbage collection, connections, streams, and which build this is. */
export function showProcess(register: Registry, facts: ProcessFacts): void {
  const { version, role, pool, streams, isRunnerMissing } = facts;
  const registers = [register];
  collectDefaultMetrics({ register });
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

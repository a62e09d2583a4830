import { databaseClock } from '../../engine/platform/context.ts';
import {
  type BacktestsOptions,
  type RunningBacktests,
  startBacktests,
} from '../../server/workers/research/index.ts';
import { SILENT_LOG } from './silent-log.ts';
import type { World } from './world.ts';

/** Runs the queued backtests and sweeps of a world, as a process beside the one that answers. */
export const runQueued = (
  { pool, market }: Pick<World, 'pool' | 'market'>,
  options: Partial<BacktestsOptions> = {},
): RunningBacktests =>
  startBacktests({
    pool,
    market,
    importHistory: async () => {},
    historyArchive: null,
    clock: databaseClock,
    log: SILENT_LOG,
    heartbeatMs: 50,
    threads: 1,
    ...options,
  });

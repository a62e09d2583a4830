import os from 'node:os';
import { type Pool, systemDb } from '../../../db/pool.ts';
import type { HistoryArchive } from '../../../engine/history/archived-bodies.ts';
import { type Clock, openWork } from '../../../engine/platform/context.ts';
import { committedEvents } from '../../../engine/platform/events/events.ts';
import { newId } from '../../../engine/platform/ids.ts';
import { claimBacktests } from '../../../engine/research/backtests/queue.ts';
import type { BacktestRow } from '../../../engine/research/backtests/row.ts';
import { claimSweeps } from '../../../engine/research/sweeps/queue.ts';
import type { MarketData } from '../../../venues/port.ts';
import { ALWAYS_AWAKE, type IdleGate } from '../../kernel/rounds/idle-gate.ts';
import type { RunnerLog } from '../../kernel/rounds/options.ts';
import { startRounds } from '../../kernel/rounds/rounds.ts';
import type { ImportMissingHistory } from './gather-input.ts';
import { BacktestJob, type BacktestWorkers, type JobContext } from './job.ts';
import { type SweepContext, SweepJob } from './sweep-job.ts';
import { WorkerPool } from './worker-pool.ts';

const ROUND_MS = 1_000;
const LEASE_MS = 15_000;
/** How often progress is stored, and a cancel request checked. */
const HEARTBEAT_MS = 500;
const RUN_MS = 30 * 60_000;
const SWEEP_MS = 4 * 60 * 60_000;
/** The most sweeps at once in one process. */
const SWEEPS_MAX = 2;
/** Threads for accounts without a running backtest: they share the processors with other accounts' long runs. */
const SPARE_THREADS = 2;
/** Heap of a thread; the shared columns it reads are outside it. */
const WORKER_MEMORY_MB = 256;

export type BacktestsOptions = {
  readonly pool: Pool;
  readonly market: MarketData;
  readonly importHistory: ImportMissingHistory;
  readonly historyArchive: HistoryArchive | null;
  readonly clock: Clock;
  readonly log: RunnerLog;
  /** When rounds rest; never, unless given. */
  readonly idle?: IdleGate;
  /** Shorter in tests. */
  readonly leaseMs?: number;
  readonly heartbeatMs?: number;
  readonly runMs?: number;
  readonly sweepMs?: number;
  readonly memoryMb?: number;
  readonly threads?: number;
};

export type RunningBacktests = {
  /** Wakes the worker after a job was queued or canceled. */
  wake(): void;
  /** Stops starting jobs, and returns the running ones to the queue. */
  stop(): Promise<void>;
};

/** Runs this process's share of the queued backtests, each in its own thread. */
export function startBacktests(options: BacktestsOptions): RunningBacktests {
  const { pool, market, importHistory, historyArchive, clock, log, idle = ALWAYS_AWAKE } = options;
  const {
    leaseMs = LEASE_MS,
    heartbeatMs = HEARTBEAT_MS,
    runMs = RUN_MS,
    sweepMs = SWEEP_MS,
    memoryMb = WORKER_MEMORY_MB,
    threads = Math.max(1, os.availableParallelism() - 1),
  } = options;
  const workers: BacktestWorkers = new WorkerPool({
    module: new URL('./worker.ts', import.meta.url),
    size: threads + SPARE_THREADS,
    sizePerAccount: threads,
    memoryMb,
  });
  const context: JobContext = {
    db: systemDb(pool),
    market,
    importHistory,
    historyArchive,
    workers,
    owner: newId(),
    leaseMs,
    heartbeatMs,
    runMs,
    log,
    onProgress: (accountId) => committedEvents(pool).emit('account', accountId),
  };
  const sweepContext: SweepContext = {
    ...context,
    // The same threads: the type of an answer follows from its task.
    workers: workers as unknown as SweepContext['workers'],
    threads,
    sweepMs,
  };
  const jobs = new Map<BacktestJob | SweepJob, Promise<void>>();
  const begin = (job: BacktestJob | SweepJob) =>
    jobs.set(
      job,
      job.run().finally(() => {
        jobs.delete(job);
        rounds.wake();
      }),
    );
  // Backtests have no mode; their events go to readers of both modes.
  const workFor = ({ account_id, terms }: Pick<BacktestRow, 'account_id' | 'terms'>) =>
    openWork(pool, {
      accountId: account_id,
      mode: terms.rules.mode,
      actor: 'system',
      requestId: null,
      clock,
    });
  const countOf = (kind: typeof BacktestJob | typeof SweepJob) =>
    [...jobs.keys()].filter((job) => job instanceof kind).length;
  const round = async () => {
    try {
      const { owner } = context;
      const running = countOf(BacktestJob);
      const count = Math.max(0, threads - running);
      // Batches of sweeps are short and take turns, so a sweep takes no slot of a backtest.
      const runs = { owner, count, spare: threads + SPARE_THREADS - running - count, leaseMs };
      for (const row of await claimBacktests(context.db, runs)) {
        begin(new BacktestJob(context, workFor(row), row));
      }
      const sweeps = { owner, count: SWEEPS_MAX - countOf(SweepJob), leaseMs };
      for (const row of await claimSweeps(context.db, sweeps)) {
        begin(new SweepJob(sweepContext, workFor(row), row));
      }
    } catch (error) {
      log.warn({ error: String(error) }, 'backtests could not be claimed; the next round tries again');
    }
  };
  const rounds = startRounds(round, ROUND_MS, { idle, kind: 'jobs' });
  return {
    wake() {
      rounds.wake();
      for (const job of jobs.keys()) job.wake();
    },
    async stop() {
      await rounds.stop();
      for (const job of jobs.keys()) job.stop();
      await Promise.all(jobs.values());
      await workers.close();
    },
  };
}

import cluster from 'node:cluster';
import { once } from 'node:events';
import os from 'node:os';
import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Child, ProcessSupervisor, type ProcessWork, processesToStart } from './process-supervisor.ts';

/** The message of a process to its supervisor once it serves. */
const SERVING = 'serving';

/** Returns the number of serving processes: by default one for each core. */
export const apiProcessesOf = ({ role, apiProcesses }: Pick<Config, 'role' | 'apiProcesses'>): number =>
  role === 'runner' ? 1 : apiProcesses === 0 ? os.availableParallelism() : apiProcesses;

/** Whether this process only supervises several others. */
export const isSupervisor = (config: Pick<Config, 'role' | 'apiProcesses'>): boolean =>
  cluster.isPrimary && apiProcessesOf(config) > 1;

/** Whether this process logs messages that one of several processes is enough for. */
export const isFirstWorker = (): boolean => cluster.worker === undefined || cluster.worker.id === 1;

/** Reports to the supervisor of this process that it serves. */
export const reportServing = (): void => void process.send?.(SERVING);

/**
 * Ends the link to the supervisor. A connection that it handed over while this process stopped listening goes back to it, for
 * another process. Without the link ended in order, its client would wait for minutes.
 */
export async function leaveSupervisor(): Promise<void> {
  const { worker } = cluster;
  if (worker?.isConnected() !== true) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}

/**
 * Runs the service as several processes on one port, and returns the exit code once all have ended. `SIGHUP` replaces them one
 * after another. Calls `onServing` once all serve.
 */
export async function superviseProcesses(
  config: Config,
  log: Logger,
  stopping: AbortSignal,
  onServing: () => void,
): Promise<number> {
  const parts = processesToStart(
    config.role === 'api' ? 'api' : 'all',
    apiProcessesOf(config),
    config.metricsPort,
  );
  const processes = new ProcessSupervisor({ parts, start, log });
  const onHangUp = () => {
    log.info({}, 'replacing one process after the other');
    void processes.replace();
  };
  process.on('SIGHUP', onHangUp);
  const stopped = stopping.aborted ? Promise.resolve() : once(stopping, 'abort');
  const code = await Promise.race([processes.start(), stopped.then(() => 0)]);
  if (code === 0 && !stopping.aborted) {
    log.info({ processes: parts.map(({ name }) => name) }, 'all processes serve');
    onServing();
    await stopped;
  }
  process.off('SIGHUP', onHangUp);
  await processes.stop();
  return code;
}

function start({ role, metricsPort }: ProcessWork): Child {
  const worker = cluster.fork({
    ROLE: role,
    API_PROCESSES: '1',
    ...(metricsPort !== null && { METRICS_PORT: String(metricsPort) }),
  });
  return {
    pid: worker.process.pid,
    ready: new Promise((resolve) => {
      worker.on('message', (message: unknown) => {
        if (message === SERVING) resolve();
      });
    }),
    ended: new Promise((resolve) => worker.once('exit', (code: number | null) => resolve(code ?? 1))),
    stop: () => void worker.process.kill('SIGTERM'),
  };
}

import type { RunnerLog } from './rounds/options.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Aborted by the first signal that asks this process to stop, with its name as the reason. Later ones change nothing:
 * stopping is under way. Call it before anything is started that would have to be stopped.
 */
export function stopOnSignals(): AbortController {
  const stopping = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => stopping.abort(signal));
  return stopping;
}

/** A stop that follows an unhandled error ends after this long, finished or not: no supervisor asked for it. */
const STOP_WITHIN_MS = 60_000;

/**
 * Logs an error that no code handles, with its stack, and stops the process in order with exit code 1: what is under way
 * finishes, and leases are handed over. Node itself would end the process in the middle. A rejected promise counts too.
 */
export function stopOnUnhandled(stopping: AbortController, log: Pick<RunnerLog, 'error'>): void {
  process.on('uncaughtException', (error, origin) => {
    log.error({ origin, error: error.stack ?? String(error) }, 'an error was not handled: stopping');
    process.exitCode = 1;
    if (!stopping.signal.aborted) setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    stopping.abort(origin);
  });
}

/**
 * For commands: the first signal aborts what is answered, so that they finish what they are at and close what they opened;
 * the next one ends them.
 */
export function finishBeforeStopping(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stopping.abort(signal));
  return stopping.signal;
}

import type { RunnerLog } from './rounds/options.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Aborted by the first signal that asks this process to stop, with its name as the reason. Later ones change nothing: stopping
 * is in progress. Call it before starting anything that must be stopped.
 */
export function stopOnSignals(): AbortController {
  const stopping = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => stopping.abort(signal));
  return stopping;
}

/** A stop ends after this long, finished or not: a supervisor waits for it, and after an error no signal follows. */
export const STOP_WITHIN_MS = 60_000;

/**
 * Logs an unhandled error with its stack, and stops the process gracefully with exit code 1. Work in progress finishes, and
 * leases are handed over. Node.js itself would exit at once. A rejected promise counts, too.
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
 * For commands: the first signal aborts the returned one, so that they finish their current step and close their resources; the
 * next one ends them.
 */
export function finishBeforeStopping(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stopping.abort(signal));
  return stopping.signal;
}

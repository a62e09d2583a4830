const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Aborted by the first signal that asks this process to stop, with its name as the reason. Later ones change nothing:
 * stopping is under way. Call it before anything is started that would have to be stopped.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => stopping.abort(signal));
  return stopping.signal;
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

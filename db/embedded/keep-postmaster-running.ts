/** Keeps a server running for as long as it is needed. */

import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from './postmaster.ts';

const CHECK_MS = 1_000;
const RETRY_MS = 5_000;

/**
 * Restarts the server of this database folder whenever it is gone, such as killed for the machine's memory. Returns a
 * function that ends the watch; after that nothing is restarted.
 */
export function keepPostmasterRunning(
  data: string,
  startAgain: () => Promise<unknown>,
  log: (message: string) => void,
): () => Promise<void> {
  const ending = new AbortController();
  const watching = (async () => {
    while (await passes(CHECK_MS, ending.signal)) {
      if (!isGone(data)) continue;
      log('PostgreSQL is gone: starting it again');
      try {
        await startAgain();
        log('PostgreSQL runs again');
      } catch (error) {
        log(error instanceof Error ? error.message : String(error));
        await passes(RETRY_MS, ending.signal);
      }
    }
  })();
  return async () => {
    ending.abort();
    await watching;
  };
}

/** False if the answer is unknown, such as without a file descriptor left. A server not known to be gone is left alone. */
function isGone(data: string): boolean {
  try {
    return findPostmaster(data) === null;
  } catch {
    return false;
  }
}

/** Resolves to true after `ms`, or to false as soon as the signal aborts. A process may exit meanwhile. */
function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal, ref: false }).catch(() => false);
}

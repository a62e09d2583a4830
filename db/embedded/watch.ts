/** Looks after a server for as long as it is needed. */

import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from './postmaster.ts';

const LOOK_MS = 1_000;
const RETRY_MS = 5_000;

/**
 * Starts the server of this database folder again whenever it is gone, such as killed for the machine's memory. Answers
 * what ends the watch; after that nothing is started any more.
 */
export function watchPostmaster(
  data: string,
  startAgain: () => Promise<unknown>,
  log: (message: string) => void,
): () => Promise<void> {
  const ending = new AbortController();
  const watching = (async () => {
    while (await passes(LOOK_MS, ending.signal)) {
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

/** False where it cannot be told, such as without a file left to open: what is not known to be gone is left alone. */
function isGone(data: string): boolean {
  try {
    return findPostmaster(data) === null;
  } catch {
    return false;
  }
}

/** True once so much time has passed, false at once when it ends before. A process may exit meanwhile. */
function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal, ref: false }).catch(() => false);
}

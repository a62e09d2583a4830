import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the close up to a timeout: the rest is cut when the process exits. */
export async function closedWithin(timeoutMs: number, closing: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(timeoutMs, false, { signal: waiting.signal }).catch(() => false);
  const closed = await Promise.race([closing.then(() => true), late]);
  waiting.abort();
  return closed;
}

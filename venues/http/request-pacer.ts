/** Pace of history downloads, and the timeout of a page. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../time.ts';
import { type Deadline, deadlineIn } from './deadline.ts';

/** Spaces requests evenly, up to a rate per second. */
export class RequestPacer {
  readonly #everyMs: number;
  #nextMs = 0;

  constructor(perSec: number) {
    this.#everyMs = SECOND_MS / perSec;
  }

  /** Waits for the next slot. Throws the signal's reason if that comes first. */
  async waitForSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const nowMs = performance.now();
    const atMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = atMs + this.#everyMs;
    if (atMs > nowMs) await sleep(atMs - nowMs, undefined, { signal });
  }
}

/** No caller waits for a page: a venue may be slow, and pauses between retries count. */
const PAGE_DEADLINE_MS = 20 * SECOND_MS;

/** The deadline of one page, which also ends with the signal. */
export function pageDeadline(signal: AbortSignal): Deadline {
  const deadline = deadlineIn(PAGE_DEADLINE_MS);
  return {
    signal: AbortSignal.any([deadline.signal, signal]),
    remainingMs: () => (signal.aborted ? 0 : deadline.remainingMs()),
    [Symbol.dispose]: () => deadline[Symbol.dispose](),
  };
}

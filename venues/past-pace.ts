/** How fast the past is asked for, and how long is waited for a page of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Deadline, deadlineIn } from './deadline.ts';
import { SECOND_MS } from './time.ts';

/** Requests evenly spaced, so many a second at most. */
export class Pace {
  readonly #everyMs: number;
  #nextMs = 0;

  constructor(perSec: number) {
    this.#everyMs = SECOND_MS / perSec;
  }

  /** Waits for the next turn. Throws the signal's reason where that comes first. */
  async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const nowMs = performance.now();
    const atMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = atMs + this.#everyMs;
    if (atMs > nowMs) await sleep(atMs - nowMs, undefined, { signal });
  }
}

/** Nobody waits for a page: a venue may take its time, and its rests between tries are part of it. */
const PAGE_DEADLINE_MS = 20 * SECOND_MS;

/** The time of one page, which ends with the signal too. */
export function pageDeadline(signal: AbortSignal): Deadline {
  const deadline = deadlineIn(PAGE_DEADLINE_MS);
  return {
    signal: AbortSignal.any([deadline.signal, signal]),
    remainingMs: () => (signal.aborted ? 0 : deadline.remainingMs()),
    [Symbol.dispose]: () => deadline[Symbol.dispose](),
  };
}

import type { FeedClock } from '../../../../venues/clock.ts';

/**
 * The clock that decisions are made by, between two moments it was read at: brokers sign by the time that orders are judged by,
 * however this machine's own clock is set, and also while that jumps.
 */
export class SharedClock implements FeedClock {
  readonly speed = 1;
  #read: { readonly ms: number; readonly atMs: number } | null = null;

  now(): number {
    if (this.#read === null) return Date.now();
    return Math.round(this.#read.ms + performance.now() - this.#read.atMs);
  }

  observe(): void {}

  /** It was read as `now`, and asked for at `askedMs` of process time. */
  tell(now: Date, askedMs: number): void {
    this.#read = { ms: now.getTime(), atMs: (askedMs + performance.now()) / 2 };
  }
}

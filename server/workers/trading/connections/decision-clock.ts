import type { FeedClock } from '../../../../venues/clock.ts';

/**
 * The clock of decisions, interpolated between two reads. Brokers sign with the time that orders are evaluated by, whatever
 * this machine's own clock shows, even while that jumps.
 */
export class DecisionClock implements FeedClock {
  readonly speed = 1;
  #read: { readonly ms: number; readonly atMs: number } | null = null;

  now(): number {
    if (this.#read === null) return Date.now();
    return Math.round(this.#read.ms + performance.now() - this.#read.atMs);
  }

  observe(): void {}

  /** Sets the clock: `now` was read, requested at `askedMs` of process time. */
  set(now: Date, requestedMs: number): void {
    this.#read = { ms: now.getTime(), atMs: (requestedMs + performance.now()) / 2 };
  }
}

/** The time of the simulated world. */
import type { FeedClock } from '../../venues/clock.ts';

/** The world changes once per tick: its state is that of the tick's first millisecond. Ticks count from 1970. */
export const TICK_MS = 1_000;

/** Moves the world's time by ticks; tests use it to see exact states. */
export type ClockControl = {
  /** The tick of now. */
  readonly tick: number;
  /** Stops the world at a tick. */
  pin(tick: number): void;
  /** Stops the world, if it runs, and moves it by this many ticks (default 1). */
  advance(ticks?: number): void;
  /** Lets the world run again, from where it stands. */
  release(): void;
};

export type WorldClockOptions = {
  /** World seconds per real second, above 0; default 1. */
  speed?: number;
  /**
   * Epoch ms at which world time and real time are the same; default the start of the process. Processes that share a sped-up
   * world name the same anchor. At speed 1 world time is real time, with any anchor.
   */
  anchorMs?: number;
};

export class WorldClock implements FeedClock, ClockControl {
  readonly #runningSpeed: number;
  #pinnedMs: number | null = null;
  /** World time is `worldMs + (real − realMs) × speed`. */
  #origin: { worldMs: number; realMs: number };

  constructor({ speed = 1, anchorMs = Date.now() }: WorldClockOptions = {}) {
    if (!(speed > 0 && speed <= 1_000))
      throw new RangeError(`speed must be above 0 and at most 1000, not ${speed}`);
    this.#runningSpeed = speed;
    this.#origin = { worldMs: anchorMs, realMs: anchorMs };
  }

  now(): number {
    if (this.#pinnedMs !== null) return this.#pinnedMs;
    const { worldMs, realMs } = this.#origin;
    return Math.round(worldMs + (Date.now() - realMs) * this.#runningSpeed);
  }

  get speed(): number {
    return this.#pinnedMs === null ? this.#runningSpeed : 0;
  }

  get tick(): number {
    return Math.floor(this.now() / TICK_MS);
  }

  pin(tick: number): void {
    if (!Number.isSafeInteger(tick) || tick < 0)
      throw new RangeError(`a tick is a whole number from 0, not ${tick}`);
    this.#pinnedMs = tick * TICK_MS;
  }

  advance(ticks = 1): void {
    this.pin(this.tick + ticks);
  }

  release(): void {
    if (this.#pinnedMs === null) return;
    this.#origin = { worldMs: this.#pinnedMs, realMs: Date.now() };
    this.#pinnedMs = null;
  }

  /** The simulated world's clock ignores responses: its own answers contain no new information about time. */
  observe(): void {}
}

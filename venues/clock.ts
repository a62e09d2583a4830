/**
 * The feed's clock: the time in the world that the answers come from. Real time at a live venue; a simulated world may run
 * faster, or stand still until a test moves it.
 */
export type FeedClock = {
  /** Epoch ms. */
  now(): number;
  /** Feed seconds per real second; 0 while the world stands still. */
  readonly speed: number;
  /** Receives every response, whose headers may state the world's time. */
  observe(headers: Headers): void;
};

/** Sent by the simulator: the world's time in epoch ms and its speed, as `1795132800000;speed=1`. */
export const CLOCK_HEADER = 'x-simulator-clock';

const CLOCK_VALUE = /^(\d{1,15});speed=(\d{1,4}(?:\.\d{1,6})?)$/;

/** Real time, unless answers come from a simulated world: then that world's time, as last received. */
export class ObservedClock implements FeedClock {
  #lastReport: { worldMs: number; speed: number; atMs: number } | null = null;

  now(): number {
    const last = this.#lastReport;
    if (last === null) return Date.now();
    return Math.round(last.worldMs + (performance.now() - last.atMs) * last.speed);
  }

  get speed(): number {
    return this.#lastReport?.speed ?? 1;
  }

  observe(headers: Headers): void {
    const match = CLOCK_VALUE.exec(headers.get(CLOCK_HEADER) ?? '');
    if (match === null) return;
    this.#lastReport = { worldMs: Number(match[1]), speed: Number(match[2]), atMs: performance.now() };
  }
}

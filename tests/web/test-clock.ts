import type { Clock } from '../../web/src/live/live-connection.ts';

/** A clock that moves only when the test moves it. */
export class TestClock implements Clock {
  #steadyMs = 0;
  #wallMs = 1_800_000_000_000;
  #due: { atMs: number; act: () => void }[] = [];

  steadyMs = () => this.#steadyMs;
  wallMs = () => this.#wallMs;

  after(delayMs: number, act: () => void): () => void {
    const timer = { atMs: this.#steadyMs + delayMs, act };
    this.#due.push(timer);
    return () => {
      this.#due = this.#due.filter((other) => other !== timer);
    };
  }

  /** Moves both clocks, and runs the timers that are due. */
  pass(ms: number): void {
    this.#steadyMs += ms;
    this.#wallMs += ms;
    const due = this.#due.filter(({ atMs }) => atMs <= this.#steadyMs);
    this.#due = this.#due.filter((timer) => !due.includes(timer));
    for (const { act } of due) act();
  }

  /** The machine sleeps: nothing runs, and only the wall clock continues. */
  sleep(ms: number): void {
    this.#wallMs += ms;
  }

  /** Sets the wall clock. */
  set(byMs: number): void {
    this.#wallMs += byMs;
  }
}

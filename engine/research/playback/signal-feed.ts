import type { SignalArrival } from '../../strategy/graph/types.ts';
import type { RecordedSignal } from '../../usecases/signals/read.ts';

/** Time between two evaluations of a deployment: a value that arrived is followed by a step without news, as live. */
const TICK_MS = 2_000;

type Step = { readonly atMs: number; readonly name: string; readonly value: SignalArrival | null };

/** Plays recorded signals again, each value at the instant at which it arrived. */
export class SignalFeed {
  /** By name: the newest value by now. */
  readonly newest = new Map<string, SignalArrival>();
  readonly #steps: readonly Step[];
  #next = 0;

  constructor(signals: readonly RecordedSignal[]) {
    this.#steps = signals
      .flatMap(({ name, values }) =>
        values.flatMap((value): Step[] => [
          { atMs: value.at, name, value },
          { atMs: value.at + TICK_MS, name, value: null },
        ]),
      )
      .sort((a, b) => a.atMs - b.atMs);
  }

  nextMs(): number {
    return this.#steps[this.#next]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Takes everything that arrived by an instant. Returns whether the deployment is stepped for it. */
  advance(atMs: number): boolean {
    const before = this.#next;
    for (let step = this.#steps[before]; step !== undefined && step.atMs <= atMs; ) {
      if (step.value !== null) this.newest.set(step.name, step.value);
      this.#next++;
      step = this.#steps[this.#next];
    }
    return this.#next > before;
  }
}

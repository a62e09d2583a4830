/**
 * So many places at a time. Of those who wait, one of each name is served after the other: whoever has much to do keeps the others
 * waiting for one of his turns, not for all of them.
 */
export class FairPlaces {
  #free: number;
  /** By name, the name that is served next first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Waits for a place, to be given back with `giveBack`. @throws Error where none is had within `waitMs`. */
  async take(name: string, waitMs: number): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#put(name, [...(this.#waiting.get(name) ?? []), resolve]);
    const late = setTimeout(() => {
      this.#put(name, this.#waiting.get(name)?.filter((go) => go !== resolve) ?? []);
      // In the words of the pool: for whoever waits it is the same.
      reject(new Error('There was no place: timeout exceeded when trying to connect'));
    }, waitMs);
    try {
      await promise;
    } finally {
      clearTimeout(late);
    }
  }

  /** Hands the place to whoever is next. */
  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [name, [go, ...others]] = next;
    this.#waiting.delete(name);
    this.#put(name, others);
    go?.();
  }

  /** A name that is new to the waiting comes last; one that is there keeps its place. */
  #put(name: string, waiting: (() => void)[]): void {
    if (waiting.length === 0) this.#waiting.delete(name);
    else this.#waiting.set(name, waiting);
  }
}

/**
 * Holds the newest value of each key until its reader takes it. A slow reader misses older values, and memory is bounded by the
 * number of keys. Keys are served in the order of their first change, so that no key waits behind a busier one.
 */
export class Conflation<Value> {
  readonly #waiting = new Map<string, Value>();

  /** Replaces the waiting value of the key, which keeps its turn. */
  put(key: string, value: Value): void {
    this.#waiting.set(key, value);
  }

  /** Removes and returns the values of the first `most` keys. */
  take(most: number): Value[] {
    const taken = [...this.#waiting].slice(0, most);
    for (const [key] of taken) this.#waiting.delete(key);
    return taken.map(([, value]) => value);
  }
}

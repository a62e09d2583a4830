/** xoshiro128** of Blackman and Vigna (2018), seeded by splitmix32: the same numbers for the same seed, on every machine. */
export class Xoshiro {
  readonly #state: Int32Array;

  constructor(seed: number) {
    let from = seed >>> 0;
    this.#state = Int32Array.from({ length: 4 }, () => {
      from = (from + 0x9e3779b9) >>> 0;
      let mixed = Math.imul(from ^ (from >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return mixed ^ (mixed >>> 15);
    });
  }

  /** Returns a 32-bit unsigned integer. */
  next(): number {
    // By index: an iterator over four numbers takes longer than the rest.
    const state = this.#state;
    const a = state[0] as number;
    const b = state[1] as number;
    const c = a ^ (state[2] as number);
    const d = b ^ (state[3] as number);
    state[0] = a ^ d;
    state[1] = b ^ c;
    state[2] = c ^ (b << 9);
    state[3] = rotated(d, 11);
    return Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
  }

  /** Returns an integer from 0 to below `count`, uniformly distributed; `count` is at most 2^32. */
  below(count: number): number {
    for (;;) {
      const sampled = this.next();
      // Doubles have no fast remainder. The last values, fewer than `count`, are not used.
      const first = Math.floor(sampled / count) * count;
      if (first + count <= 2 ** 32) return sampled - first;
    }
  }
}

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

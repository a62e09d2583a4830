/** xoshiro128** of Blackman and Vigna (2018), seeded by splitmix32: the same numbers for the same seed, on every machine. */
export class Xoshiro {
  readonly #state: Uint32Array;

  constructor(seed: number) {
    let from = seed >>> 0;
    this.#state = Uint32Array.from({ length: 4 }, () => {
      from = (from + 0x9e3779b9) >>> 0;
      let mixed = Math.imul(from ^ (from >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return mixed ^ (mixed >>> 15);
    });
  }

  /** Returns a 32-bit unsigned integer. */
  next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#state;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const [e, f] = [c ^ a, d ^ b];
    this.#state[1] = b ^ e;
    this.#state[0] = a ^ f;
    this.#state[2] = e ^ (b << 9);
    this.#state[3] = rotated(f, 11);
    return result;
  }

  /** Returns an integer from 0 to below `count`, uniformly distributed; `count` is at most 2^32. */
  below(count: number): number {
    const limit = 2 ** 32 - (2 ** 32 % count);
    for (;;) {
      const sampled = this.next();
      if (sampled < limit) return sampled % count;
    }
  }
}

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

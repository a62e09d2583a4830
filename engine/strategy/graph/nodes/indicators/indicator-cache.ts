import type { Unknown } from '../../types.ts';

const CAPACITY_MIN = 16;

/** Marks a value not computed yet; a value is never NaN. */
const HOLE = Number.NaN;
/** Marks an unknown value; a value is never infinite. */
const UNKNOWN = Number.POSITIVE_INFINITY;

/**
 * Values of one calculation by the index of their candle: part of a column, filled on demand. It drops all but the newest
 * `retainedMax` values once there are more than twice as many.
 */
export class IndicatorCache {
  readonly #retainedMax: number;
  #first = 0;
  #count = 0;
  #values = new Float64Array(0);
  readonly #unknowns = new Map<number, Unknown>();

  constructor(retainedMax: number) {
    this.#retainedMax = retainedMax;
  }

  get(index: number): number | Unknown | undefined {
    const offset = index - this.#first;
    if (offset < 0 || offset >= this.#count) return undefined;
    const value = this.#values[offset] as number;
    if (value === UNKNOWN) return this.#unknowns.get(index);
    return Number.isNaN(value) ? undefined : value;
  }

  set(index: number, value: number | Unknown): void {
    this.#cover(index);
    if (typeof value !== 'number') this.#unknowns.set(index, value);
    this.#values[index - this.#first] = typeof value === 'number' ? value : UNKNOWN;
  }

  /** Returns the numbers from `start` to before `end`, all of which were set; or the first unknown one. */
  window(start: number, end: number): Float64Array | Unknown {
    const window = this.#values.subarray(start - this.#first, end - this.#first);
    const at = this.#unknowns.size === 0 ? -1 : window.indexOf(UNKNOWN);
    return at < 0 ? window : (this.#unknowns.get(start + at) as Unknown);
  }

  #cover(index: number): void {
    const end = this.#first + this.#count;
    let from = this.#count === 0 ? index : Math.min(this.#first, index);
    let to = Math.max(end, index + 1);
    if (to - from > 2 * this.#retainedMax) {
      from = index < this.#first ? index : to - this.#retainedMax;
      to = index + 1;
    }
    if (from !== this.#first || to - from > this.#values.length) this.#move(from, to);
    this.#count = to - from;
  }

  /** Copies the overlap of the old range and the new one. */
  #move(from: number, to: number): void {
    const values = new Float64Array(Math.max(CAPACITY_MIN, 2 ** Math.ceil(Math.log2(to - from)))).fill(HOLE);
    const start = Math.max(from, this.#first);
    const end = Math.min(to, this.#first + this.#count);
    if (start < end) values.set(this.#values.subarray(start - this.#first, end - this.#first), start - from);
    this.#values = values;
    this.#first = from;
    for (const index of this.#unknowns.keys())
      if (index < start || index >= end) this.#unknowns.delete(index);
  }
}

/**
 * Chance that is no chance: every "random" number of the simulated world is a pure function of a key and a counter, so
 * the world is the same in every process and after a restart.
 */

/** A 32-bit key of a text (FNV-1a). */
export function keyOf(text: string): number {
  let key = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    key = Math.imul(key ^ text.charCodeAt(index), 0x01000193);
  }
  return key >>> 0;
}

/** A number from 0 to below 1 for a key and a counter (the finalizer of MurmurHash3). */
export function unit(key: number, counter: number): number {
  let hash =
    key ^ Math.imul(counter | 0, 0x9e3779b1) ^ Math.imul(Math.floor(counter / 0x1_0000_0000), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** Smooth noise from −1 to 1 that has a new value every `period` and passes between them without a corner. */
export function noise(key: number, time: number, period: number): number {
  const position = time / period;
  const cell = Math.floor(position);
  const part = position - cell;
  const eased = part * part * (3 - 2 * part);
  const from = unit(key, cell);
  return 2 * (from + (unit(key, cell + 1) - from) * eased) - 1;
}

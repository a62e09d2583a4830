/**
 * Reproducible random numbers: each is a pure function of a key and a counter. The world is the same in every process and after
 * a restart.
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
export function keyedRandom(key: number, counter: number): number {
  let hash =
    key ^ Math.imul(counter | 0, 0x9e3779b1) ^ Math.imul(Math.floor(counter / 0x1_0000_0000), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** A 32-bit seed for a key and a counter. */
export const seedOf = (key: number, counter: number): number =>
  Math.floor(keyedRandom(key, counter) * 0x1_0000_0000);

/** Halvings of a cell: of a day, down to a third of a second. */
const HALVINGS = 19;

/**
 * A Brownian bridge: a random walk that is 0 at both ends of its cell, with deviation 1 over the whole. It uses Lévy's
 * construction by midpoints, so that any moment can be computed alone. `part` is the position within the cell, 0 to 1.
 */
export function brownianBridge(key: number, cell: number, part: number): number {
  let sum = 0;
  let pieces = 1;
  for (let level = 0; level < HALVINGS; level += 1) {
    const position = part * pieces;
    const piece = Math.floor(position);
    const within = position - piece;
    const normal = Math.sqrt(12) * (keyedRandom(key + level, cell * pieces + piece) - 0.5);
    sum += (Math.min(within, 1 - within) / Math.sqrt(pieces)) * normal;
    pieces *= 2;
  }
  return sum;
}

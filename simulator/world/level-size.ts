/** Order books that follow the price. */
import { keyedRandom, keyOf } from './keyed-random.ts';

/** Median sizes by distance from the best price, of ten recorded books (see `data/SOURCES.md`). */
const PROFILE = [
  38_862, 45_375, 36_344, 50_735, 34_414, 4_683, 3_475, 5_787, 6_227, 4_437, 1_392, 857, 2_721, 5_469, 6_606,
  908, 598, 1_540, 1_420, 5_187, 762, 735, 1_381, 741,
] as const;
const MEAN = PROFILE.reduce((sum, size) => sum + size, 0) / PROFILE.length;

/** Sizes change this often. */
const REFRESH_MS = 5_000;

/**
 * The size at a level, `distance` levels from the best (0), around `typical`. It stays for some seconds and then changes;
 * rounded to `decimals`, and never 0.
 */
export function levelSizeAt(
  id: string,
  distance: number,
  timeMs: number,
  typical: number,
  decimals: number,
): number {
  const profile = (PROFILE[distance % PROFILE.length] ?? MEAN) / MEAN;
  // Levels do not all change at once.
  const period = Math.floor((timeMs + distance * 1_300) / REFRESH_MS);
  const chance = 0.4 + 1.2 * keyedRandom(keyOf(id) + distance, period);
  const step = 10 ** -decimals;
  return Math.max(step, Number((typical * profile * chance).toFixed(decimals)));
}

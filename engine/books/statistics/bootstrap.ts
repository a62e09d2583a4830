import { Xoshiro } from './xoshiro.ts';

/** Nine of ten resamples lie between the two. */
export type Interval = { readonly low: number; readonly high: number };

/** By how much figures of the same days in another order and selection differ. Shares: 0.1 is 10 %. */
export type ResampledFigures = {
  readonly totalReturn: Interval;
  /** The largest fall between days; falls within a day are not in it. */
  readonly maxDrawdown: Interval;
  /** Share of the resamples that lose. */
  readonly losing: number;
};

const RESAMPLES = 1_000;
const TAIL = 0.05;
/** With fewer days the resamples repeat a handful of them, and look too sure. */
const DAYS_MIN = 20;
const SEED = 1;

/**
 * Resamples daily returns in blocks: the stationary bootstrap of Politis and Romano (1994). So days that follow each other stay
 * together. A block begins at any day, and the first day follows the last. It ends after each day with a chance of one in the
 * cube root of their number. The same returns give the same figures.
 *
 * @returns null below 20 days
 */
export function resampledFiguresOf(returns: readonly number[]): ResampledFigures | null {
  const days = returns.length;
  if (days < DAYS_MIN) return null;
  const random = new Xoshiro(SEED);
  const blockDays = Math.round(Math.cbrt(days));
  const growths: number[] = [];
  const falls: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let [worth, peak, fall] = [1, 1, 0];
    let day = random.below(days);
    for (let taken = 0; taken < days; taken++) {
      worth *= 1 + (returns[day] ?? 0);
      peak = Math.max(peak, worth);
      fall = Math.max(fall, 1 - worth / peak);
      day = random.below(blockDays) === 0 ? random.below(days) : (day + 1) % days;
    }
    growths.push(worth - 1);
    falls.push(fall);
  }
  return {
    totalReturn: intervalOf(growths),
    maxDrawdown: intervalOf(falls),
    losing: growths.filter((growth) => growth < 0).length / RESAMPLES,
  };
}

function intervalOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const outside = Math.ceil(values.length * TAIL);
  return { low: sorted[outside - 1] ?? 0, high: sorted.at(-outside) ?? 0 };
}

import type { HighLow } from '../request.ts';
import { hashedRandom } from './random.ts';
import { randomWalkTo } from './random-walk.ts';
import type { RecentVolatility } from './recent-volatility.ts';

/** Prices of a bar: open, close and both extremes. */
export type Bar = {
  readonly openMs: number;
  /** The instant it closed. */
  readonly closeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};

/** Instants and prices between the open and the close of a bar, ascending in time. */
export type BarPath = { readonly atMs: readonly number[]; readonly prices: readonly number[] };

export type PathOptions = {
  readonly order: Exclude<HighLow, 'both'>;
  readonly tick: number;
  /** Movement of earlier bars; null if too few are known. */
  readonly past: RecentVolatility | null;
  /** The run's seed and the instrument. Together with the bar's open time it determines the path. */
  readonly seed: string;
};

/** Number of prices on a path: one less than a divisor of the parts of a walk. */
const STEPS = [3, 7, 15, 31] as const;
const STEPS_MAX = 63;
/** A step is this share of the price, or one tick if that is more. */
const STEP_SHARE = 0.0005;
/** Approximate distance that a price covers in a bar, in ranges of the bar. */
const LENGTH_OF_RANGE = 1.5;
/** Range of a bar without known earlier ones, as a share of its open. */
const UNKNOWN_RANGE = 0.005;

export const NO_PATH: BarPath = { atMs: [], prices: [] };

/**
 * Generates one path of a price inside a bar: a random walk with the bar's open, extremes and close. Averaged over possible
 * closes it is an unbiased walk: no price on it predicts the close. Only earlier bars determine how many prices it has, and
 * when. An extreme may lie between two of them, as between two live quotes.
 */
export function barPathOf(bar: Bar, { order, tick, past, seed }: PathOptions): BarPath {
  const { open, high, low, close, openMs, closeMs } = bar;
  const steps = stepsOf(open, tick, past);
  if (high <= low || closeMs - openMs <= steps) return NO_PATH;
  const values = randomWalkTo(
    { high: high / open - 1, low: low / open - 1, close: close / open - 1 },
    { order, scale: past, fineness: past?.fineness ?? 1, steps, random: hashedRandom(`${seed} ${openMs}`) },
  );
  return {
    atMs: values.map((_, step) => Math.round(openMs + ((closeMs - openMs) * (step + 1)) / (steps + 1))),
    prices: values.map((value) => Math.min(high, Math.max(low, onTick(open * (1 + value), tick)))),
  };
}

/** Returns about one step for each 5 basis points, or tick, of movement in similar earlier bars. */
function stepsOf(open: number, tick: number, past: RecentVolatility | null): number {
  const range = past === null ? UNKNOWN_RANGE : Math.exp(past.mean);
  const wanted = (LENGTH_OF_RANGE * range * open) / Math.max(tick, open * STEP_SHARE);
  return STEPS.find((steps) => steps >= wanted) ?? STEPS_MAX;
}

const onTick = (price: number, tick: number): number =>
  Number((Math.round(price / tick) * tick).toPrecision(15));

import type { HighLow } from '../request.ts';
import type { Past } from './past.ts';
import { hashedRandom } from './random.ts';
import { walkLike } from './walks.ts';

/** The prices between which a bar lay: its open and close, and both extremes. */
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
export type Path = { readonly atMs: readonly number[]; readonly prices: readonly number[] };

export type PathOptions = {
  readonly order: Exclude<HighLow, 'both'>;
  readonly tick: number;
  /** The size of earlier bars; null where too few are known. */
  readonly past: Past | null;
  /** The run's seed and the instrument. With the open time of the bar it decides the draw. */
  readonly seed: string;
};

/** Prices that a path shows: one less than a divisor of the parts of a walk. */
const STEPS = [3, 7, 15, 31] as const;
const STEPS_MAX = 63;
/** A step of so much of the price, or of one tick where that is more. */
const STEP_SHARE = 0.0005;
/** Lengths of a range that a price goes in a bar, about. */
const LENGTH_OF_RANGE = 1.5;
/** The range of a bar where no earlier one is known, as a share of its open. */
const UNKNOWN_RANGE = 0.005;

export const NO_PATH: Path = { atMs: [], prices: [] };

/**
 * Draws one path of a price inside a bar: a random walk that opens, turns and closes as the bar did. Averaged over the ends of
 * bars it is that walk: no price on it tells how the bar ends. Earlier bars alone decide how many prices it
 * shows, and when. An extreme may lie between two of them, as live between two quotes.
 */
export function pathOf(bar: Bar, { order, tick, past, seed }: PathOptions): Path {
  const { open, high, low, close, openMs, closeMs } = bar;
  const steps = stepsOf(open, tick, past);
  if (high <= low || closeMs - openMs <= steps) return NO_PATH;
  const values = walkLike(
    { high: high / open - 1, low: low / open - 1, close: close / open - 1 },
    { order, scale: past, fineness: past?.fineness ?? 1, steps, random: hashedRandom(`${seed} ${openMs}`) },
  );
  return {
    atMs: values.map((_, step) => Math.round(openMs + ((closeMs - openMs) * (step + 1)) / (steps + 1))),
    prices: values.map((value) => Math.min(high, Math.max(low, onTick(open * (1 + value), tick)))),
  };
}

/** About one for each 5 basis points, or tick, that the price goes in a bar like those before it. */
function stepsOf(open: number, tick: number, past: Past | null): number {
  const range = past === null ? UNKNOWN_RANGE : Math.exp(past.mean);
  const wanted = (LENGTH_OF_RANGE * range * open) / Math.max(tick, open * STEP_SHARE);
  return STEPS.find((steps) => steps >= wanted) ?? STEPS_MAX;
}

const onTick = (price: number, tick: number): number =>
  Number((Math.round(price / tick) * tick).toPrecision(15));

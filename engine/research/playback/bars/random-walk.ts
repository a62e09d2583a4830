import type { HighLow } from '../request.ts';
import { type Random, seededRandom } from './random.ts';

/** Extremes and end of a walk from 0. */
export type WalkTarget = { readonly high: number; readonly low: number; readonly close: number };

/** Expected range of a walk: mean and variance of its logarithm. */
export type WalkRange = { readonly mean: number; readonly variance: number };

export type WalkOptions = {
  readonly order: Exclude<HighLow, 'both'>;
  /** Null: derived from the target alone. */
  readonly scale: WalkRange | null;
  /** How far extremes exceed those seen at {@link WALK_PARTS} points: 0 not at all, 1 as in a walk of very many steps. */
  readonly fineness: number;
  /** Number of values read, evenly over its time without its ends: one less than a divisor of {@link WALK_PARTS}. */
  readonly steps: number;
  readonly random: Random;
};

const WALKS = 1_024;
/** Parts of a walk with stored value and extremes, and steps of each part. */
export const WALK_PARTS = 64;
const FINE = 16;
/** Number of walks tried for one target, and of close ones to choose from. */
const TRIES = 200;
const ENOUGH = 6;
/** Largest distance of a walk's extremes from those of the target, as a share of the range. */
const BAND = 0.1;
/** Logarithm of the range of a random walk of variance 1, by its fineness. Computed over 60,000 walks. */
const LOG_RANGE = { mean: 0.327, meanFine: 0.394, variance: 0.101, varianceFine: 0.087 };
/** Squared range over squared change of random walks, by fineness. Computed in the same way. */
export const RANGE_RATIO = { coarse: 2.35, fine: 2.65 };
/** Logarithm of the largest factor between a tried size and the range, without other information. */
const LOG_SPAN = 0.8;

type Walks = { readonly value: Float64Array; readonly high: Float64Array; readonly low: Float64Array };
let stored: Walks | null = null;

/** Creates random walks of variance 1 from 0 back to 0, always the same ones. */
function walks(): Walks {
  stored ??= makeWalks();
  return stored;
}

function makeWalks(): Walks {
  const size = WALKS * WALK_PARTS;
  const made = { value: new Float64Array(size), high: new Float64Array(size), low: new Float64Array(size) };
  const random = seededRandom(1);
  const count = WALK_PARTS * FINE;
  const step = Math.sqrt(12 / count);
  const at = new Float64Array(count + 1);
  for (let index = 0; index < size; index++) {
    const first = (index % WALK_PARTS) * FINE;
    if (first === 0) {
      for (let fine = 1; fine <= count; fine++) at[fine] = (at[fine - 1] as number) + step * (random() - 0.5);
    }
    const end = at[count] as number;
    const values = Array.from(
      at.subarray(first, first + FINE + 1),
      (value, fine) => value - (end * (first + fine)) / count,
    );
    made.value[index] = values[FINE] as number;
    made.high[index] = Math.max(...values);
    made.low[index] = Math.min(...values);
  }
  return made;
}

/** A stored walk, flipped, scaled and tilted to end at the target's close. */
type Candidate = {
  readonly first: number;
  readonly isReversed: boolean;
  /** Negative: upside down. */
  readonly size: number;
  readonly high: number;
  readonly low: number;
  readonly isHighFirst: boolean;
};

/**
 * Returns values of a random walk with the target's extremes and end. Chooses one of many such walks: near extremes are
 * preferred, and sizes that make that end likely. Then scales the parts beyond both ends to the extremes.
 */
export function randomWalkTo(target: WalkTarget, options: WalkOptions): number[] {
  const expected = options.scale === null ? null : choose(target, options, options.scale);
  const ordered = expected ?? choose(target, options, null);
  // No walk may reach that extreme first: a bar that opens low and closes high hardly reaches its high first.
  const chosen = ordered ?? choose(target, { ...options, order: 'likely' }, null);
  return chosen === null ? straight(target, options.steps) : valuesOf(chosen, target, options.steps);
}

function choose(target: WalkTarget, options: WalkOptions, scale: WalkRange | null): Candidate | null {
  const { order, fineness, random } = options;
  const range = target.high - target.low;
  let chosen: Candidate | null = null;
  let sum = 0;
  let found = 0;
  for (let tries = 0; tries < TRIES && found < ENOUGH; tries++) {
    const index = Math.floor(random() * WALKS * 4);
    const size = scale === null ? sizeOfRange(range, random) : expectedSize(scale, fineness, random);
    const luck = random();
    const candidate = measure(index, size, target, fineness);
    if (candidate === null) continue;
    if (order === 'high_first' && target.low < 0 && !candidate.isHighFirst) continue;
    if (order === 'low_first' && target.high > 0 && candidate.isHighFirst) continue;
    const off = [candidate.high - target.high, candidate.low - target.low].map(
      (by) => 1 - (by / (BAND * range)) ** 2,
    ) as [number, number];
    if (off[0] <= 0 || off[1] <= 0) continue;
    const weight = (off[0] * off[1] * Math.exp(-((target.close / size) ** 2) / 2)) / size;
    found++;
    sum += weight;
    if (luck * sum < weight) chosen = candidate;
  }
  return chosen;
}

/** Null if it exceeds the target too far. `index`: index of the walk and of its four orientations. */
function measure(
  index: number,
  size: number,
  { high: highMax, low: lowMin, close }: WalkTarget,
  fineness: number,
): Candidate | null {
  const { value, high: highs, low: lows } = walks();
  const [isFlipped, isReversed] = [(index & 1) === 1, (index & 2) === 2];
  const first = (index >> 2) * WALK_PARTS;
  const sign = isFlipped ? -size : size;
  const [up, down] = isFlipped ? [lows, highs] : [highs, lows];
  const beyond = BAND * (highMax - lowMin);
  const [most, least] = [highMax + beyond, lowMin - beyond];
  let [high, low, highAt, lowAt] = [Math.max(0, close), Math.min(0, close), 0, 0];
  if (close > 0) highAt = WALK_PARTS;
  if (close < 0) lowAt = WALK_PARTS;
  for (let part = 0; part < WALK_PARTS; part++) {
    const stored = first + (isReversed ? WALK_PARTS - 1 - part : part);
    const at = value[stored] as number;
    const tilt = (close * (part + 0.5)) / WALK_PARTS;
    const top = sign * (at + fineness * ((up[stored] as number) - at)) + tilt;
    const bottom = sign * (at + fineness * ((down[stored] as number) - at)) + tilt;
    if (top > most || bottom < least) return null;
    if (top > high) [high, highAt] = [top, part];
    if (bottom < low) [low, lowAt] = [bottom, part];
  }
  return { first, isReversed, size: sign, high, low, isHighFirst: highAt < lowAt };
}

const between = (coarse: number, fine: number, fineness: number): number =>
  coarse + (fine - coarse) * fineness;

function expectedSize({ mean, variance }: WalkRange, fineness: number, random: Random): number {
  const { mean: coarse, meanFine, variance: own, varianceFine } = LOG_RANGE;
  const deviation = Math.sqrt(Math.max(0, variance - between(own, varianceFine, fineness)));
  // Six numbers of variance 1/12 each: nearly normal.
  const normal = (random() + random() + random() + random() + random() + random() - 3) * Math.SQRT2;
  return Math.exp(mean - between(coarse, meanFine, fineness) + deviation * normal);
}

const sizeOfRange = (range: number, random: Random): number =>
  range * Math.exp(LOG_SPAN * (2 * random() - 1) - LOG_RANGE.meanFine);

function valuesOf(
  { first, isReversed, size, high, low }: Candidate,
  target: WalkTarget,
  steps: number,
): number[] {
  const { value } = walks();
  const top = Math.max(0, target.close);
  const bottom = Math.min(0, target.close);
  const up = high > top ? (target.high - top) / (high - top) : 0;
  const down = low < bottom ? (target.low - bottom) / (low - bottom) : 0;
  return Array.from({ length: steps }, (_, step) => {
    const part = ((step + 1) * WALK_PARTS) / (steps + 1);
    const stored = first + (isReversed ? WALK_PARTS - part : part) - 1;
    const at = size * (value[stored] as number) + (target.close * part) / WALK_PARTS;
    if (at > top) return top + (at - top) * up;
    return at < bottom ? bottom + (at - bottom) * down : at;
  });
}

/** Replaces the walk if none comes near the target. */
const straight = ({ close }: WalkTarget, steps: number): number[] =>
  Array.from({ length: steps }, (_, step) => (close * (step + 1)) / (steps + 1));

/**
 * The path of a price through one bar, second by second: a random walk from open to close. It touches the bar's high and low
 * and stays between them. Earlier seconds do not predict later ones, as in recorded prices. A pure function of bar and key.
 */
import { BAR_MS } from './recordings.ts';

/** Log prices of a bar. */
export type BarLogPrices = {
  open: number;
  high: number;
  low: number;
  close: number;
};

export const BAR_SEC = BAR_MS / 1_000;

/** Walks generated per bar; the one that needs the least bending to fit the bar is used. */
const CANDIDATES = 6;
/** More are generated, up to a limit, while the best one jumps by more than this in a second. */
const BEND_MAX = 0.0007;
const CANDIDATES_MAX = 60;
/**
 * The deviation of one second as a share of the bar's range: the range of a random walk of n steps is about 1.6 √n deviations.
 * Measured so that neither rises nor falls continue more often than not, from 1 s to a minute.
 */
const STEP_SHARE = 0.036;
/** No second of a quiet step moves more than this, in any bar. */
const DEVIATION_MAX = 0.0007;

/** Numbers from 0 to below 1, as many as needed, from one seed (Mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** A second at which the path has a given value. */
type Knot = {
  at: number;
  value: number;
};

type Walk = {
  values: Float64Array;
  knots: Knot[];
};

/** The log price at each second of a bar, 0 (its open) to 300 (its close). */
export function barPricePath(bar: BarLogPrices, seed: number): Float64Array {
  const next = numbersFrom(seed);
  let best = randomWalk(bar, next);
  let bend = steepestBend(best);
  for (let count = 1; count < CANDIDATES || (bend > BEND_MAX && count < CANDIDATES_MAX); count += 1) {
    const walk = randomWalk(bar, next);
    const own = steepestBend(walk);
    if (own < bend) [best, bend] = [walk, own];
  }
  return fitted(best, bar);
}

/** A random walk from open to close, and the knots that make it one of this bar. */
function randomWalk(bar: BarLogPrices, next: () => number): Walk {
  const { open, close, high, low } = bar;
  const width = Math.sqrt(12) * Math.min(DEVIATION_MAX, STEP_SHARE * (high - low));
  const values = new Float64Array(BAR_SEC + 1);
  for (let second = 1; second <= BAR_SEC; second += 1) {
    values[second] = at(values, second - 1) + width * (next() - 0.5);
  }
  const drift = (close - open - at(values, BAR_SEC)) / BAR_SEC;
  for (let second = 0; second <= BAR_SEC; second += 1) {
    values[second] = open + at(values, second) + drift * second;
  }
  return { values, knots: [{ at: 0, value: open }, ...extremes(values, bar), { at: BAR_SEC, value: close }] };
}

/**
 * The bar's high and low as knots, at the seconds where the walk is highest and lowest. Left out where an end of the bar is the
 * extreme.
 */
function extremes(values: Float64Array, { open, close, high, low }: BarLogPrices): Knot[] {
  let top = 1;
  let bottom = 1;
  for (let second = 2; second < BAR_SEC; second += 1) {
    if (at(values, second) > at(values, top)) top = second;
    if (at(values, second) < at(values, bottom)) bottom = second;
  }
  const knots: Knot[] = [];
  if (high > Math.max(open, close)) knots.push({ at: top, value: high });
  if (low < Math.min(open, close)) knots.push({ at: bottom, value: low });
  return knots.sort((a, b) => a.at - b.at);
}

const at = (values: Float64Array, second: number): number => values[second] ?? 0;

/** The distance of the walk from a knot. */
const distanceTo = ({ values }: Walk, knot: Knot): number => knot.value - at(values, knot.at);

/** The largest move of the walk within one second. */
function steepestBend(walk: Walk): number {
  const slopes = walk.knots
    .slice(1)
    .map((knot, index) => Math.abs(slopeBetween(walk, walk.knots[index], knot)));
  return Math.max(...slopes);
}

function slopeBetween(walk: Walk, from: Knot | undefined, to: Knot): number {
  return from === undefined ? 0 : (distanceTo(walk, to) - distanceTo(walk, from)) / (to.at - from.at);
}

/** The walk, moved to touch its knots and mirrored wherever it would pass the extremes. */
function fitted(walk: Walk, { low, high }: BarLogPrices): Float64Array {
  const { values, knots } = walk;
  const path = new Float64Array(values.length);
  knots.slice(1).forEach((knot, index) => {
    const from = knots[index] ?? knot;
    const slope = slopeBetween(walk, from, knot);
    for (let second = from.at; second < knot.at; second += 1) {
      const moved = at(values, second) + distanceTo(walk, from) + slope * (second - from.at);
      path[second] = reflect(moved, low, high);
    }
  });
  for (const knot of knots) path[knot.at] = knot.value;
  return path;
}

/** A value beyond a bound, mirrored at the bound. */
function reflect(value: number, low: number, high: number): number {
  const inside = value > high ? 2 * high - value : value < low ? 2 * low - value : value;
  return Math.min(high, Math.max(low, inside));
}

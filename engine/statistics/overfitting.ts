import { dailySharpe } from './days.ts';
import { centralMoment, deviation, VARIANCE_FLOOR } from './moments.ts';
import { normalAt, normalBelow } from './normal.ts';
import { none, type Ratio, ratio } from './ratio.ts';

/** Euler and Mascheroni's constant. */
const GAMMA = 0.577_215_664_901_532_9;

/**
 * How probable it is that the true daily Sharpe ratio is above `benchmark`, by what was seen on so many days (Bailey and López
 * de Prado 2012). Skewness and kurtosis are moments of the population, kurtosis raw: 3 of a normal distribution.
 */
export function probabilisticSharpe(returns: readonly number[], benchmark = 0): Ratio {
  const seen = dailySharpe(returns);
  if (seen.value === null) return seen;
  const variance = centralMoment(returns, 2);
  const skewness = centralMoment(returns, 3) / variance ** 1.5;
  const kurtosis = centralMoment(returns, 4) / variance ** 2;
  const spread = 1 - skewness * seen.value + ((kurtosis - 1) / 4) * seen.value ** 2;
  if (spread < VARIANCE_FLOOR) return none('zero_variance');
  const x = ((seen.value - benchmark) * Math.sqrt(returns.length - 1)) / Math.sqrt(spread);
  return ratio(normalBelow(x), 'zero_variance');
}

/**
 * {@link probabilisticSharpe} against what the best of as many trials would show by luck alone (Bailey and López de Prado
 * 2014). `sharpes` are the daily ones of all trials; `trials` is how many were ever made, where that is more.
 */
export function deflatedSharpe(
  returns: readonly number[],
  sharpes: readonly number[],
  trials = sharpes.length,
): Ratio {
  if (sharpes.length < 2) return none('too_few');
  return probabilisticSharpe(returns, luckiest(deviation(sharpes), trials));
}

/** The expected highest Sharpe ratio of so many trials that know nothing. */
const luckiest = (spread: number, trials: number): number =>
  spread * ((1 - GAMMA) * normalAt(1 - 1 / trials) + GAMMA * normalAt(1 - 1 / (trials * Math.E)));

/** Slices of which every half is tried as what is known; the other is what follows. */
const SLICES = 16;

type SliceSums = { readonly sum: Float64Array; readonly square: Float64Array };

/**
 * How probable it is that the best trial of what is known lies in the lower half of what follows (combinatorially symmetric
 * cross-validation, Bailey and others 2015). `trials` are daily returns over the same days; the oldest are left out so that the
 * slices are of one length. The first of equals is the best. Sums are kept by slice: 12,870 halves of 25 trials are some
 * 5 million additions.
 */
export function probabilityOfOverfitting(trials: readonly (readonly number[])[], slices = SLICES): Ratio {
  const days = trials[0]?.length ?? 0;
  if (trials.length < 2 || days < 2 * slices) return none('too_few');
  if (trials.some(({ length }) => length !== days)) {
    throw new RangeError('Trials are compared over the same days.');
  }
  const perSlice = Math.floor(days / slices);
  const sums = trials.map((returns) => sumsOf(returns, slices, perSlice));
  let below = 0;
  let halves = 0;
  for (const known of halvesOf(slices)) {
    halves++;
    if (isBestBelowMiddle(sums, known, (perSlice * slices) / 2)) below++;
  }
  return ratio(below / halves, 'too_few');
}

function sumsOf(returns: readonly number[], slices: number, perSlice: number): SliceSums {
  const sums = { sum: new Float64Array(slices), square: new Float64Array(slices) };
  const first = returns.length - slices * perSlice;
  for (let slice = 0; slice < slices; slice++) {
    const part = returns.slice(first + slice * perSlice, first + (slice + 1) * perSlice);
    sums.sum[slice] = part.reduce((total, value) => total + value, 0);
    sums.square[slice] = part.reduce((total, value) => total + value * value, 0);
  }
  return sums;
}

/** λ = ln(ω / (1 - ω)) is not above 0 where the rank is at most half of one more than there are trials. */
function isBestBelowMiddle(trials: readonly SliceSums[], known: readonly boolean[], days: number): boolean {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  const after: number[] = [];
  for (const [index, { sum, square }] of trials.entries()) {
    const inside = { sum: 0, square: 0 };
    const outside = { sum: 0, square: 0 };
    for (const [slice, isKnown] of known.entries()) {
      const half = isKnown ? inside : outside;
      half.sum += sum[slice] ?? 0;
      half.square += square[slice] ?? 0;
    }
    const before = sharpeOf(inside, days);
    after.push(sharpeOf(outside, days));
    if (before > highest) {
      best = index;
      highest = before;
    }
  }
  const reached = after[best] ?? 0;
  const rank = 1 + after.filter((other) => other < reached).length;
  return rank / (trials.length + 1) <= 0.5;
}

/** Nothing moved: neither good nor bad. */
function sharpeOf({ sum, square }: { sum: number; square: number }, days: number): number {
  const spread = Math.sqrt(Math.max(square - (sum * sum) / days, 0) / (days - 1));
  return spread < VARIANCE_FLOOR ? 0 : sum / days / spread;
}

/** Every choice of half of the slices, in the order of their positions. */
function* halvesOf(slices: number): Generator<readonly boolean[]> {
  const chosen = Array.from({ length: slices }, () => false);
  function* choose(from: number, left: number): Generator<readonly boolean[]> {
    if (left === 0) {
      yield chosen;
      return;
    }
    for (let slice = from; slice <= slices - left; slice++) {
      chosen[slice] = true;
      yield* choose(slice + 1, left - 1);
      chosen[slice] = false;
    }
  }
  yield* choose(0, slices / 2);
}

import { dailySharpe } from './daily-returns.ts';
import { centralMoment, deviation, VARIANCE_FLOOR } from './moments.ts';
import { normalCdf, normalQuantile } from './normal-distribution.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';

/** How sure a true ratio above zero has to be: 95 %. */
const CONFIDENCE = 0.95;

/** Euler and Mascheroni's constant. */
const GAMMA = 0.577_215_664_901_532_9;

/**
 * The probability that the true daily Sharpe ratio is above `benchmark`, given the observed days. Source: Bailey and López de
 * Prado 2012. Skewness and kurtosis are moments of the population. Kurtosis is raw: 3 for a normal distribution.
 */
export function probabilisticSharpe(returns: readonly number[], benchmark = 0): Ratio {
  const seen = dailySharpe(returns);
  const error = sharpeError(returns, seen);
  if (seen.value === null || error.value === null) return error;
  return ratio(normalCdf((seen.value - benchmark) / error.value), 'zero_variance');
}

/** The standard error of a daily Sharpe ratio, by the days and the shape of their returns (Mertens 2002). */
export function sharpeError(returns: readonly number[], daily: Ratio): Ratio {
  if (daily.value === null) return daily;
  const variance = centralMoment(returns, 2);
  const skewness = centralMoment(returns, 3) / variance ** 1.5;
  const kurtosis = centralMoment(returns, 4) / variance ** 2;
  const spread = 1 - skewness * daily.value + ((kurtosis - 1) / 4) * daily.value ** 2;
  if (spread < VARIANCE_FLOOR) return missingRatio('zero_variance');
  return ratio(Math.sqrt(spread / (returns.length - 1)), 'zero_variance');
}

/**
 * Returns the minimum track record length (Bailey and López de Prado 2012). After as many days, such returns would show a Sharpe
 * ratio above zero with 95 % confidence. A ratio of zero or less never is.
 *
 * @param daily the Sharpe ratio of one day.
 * @param error its standard error, by `days`.
 */
export function minTrackRecord(daily: Ratio, error: Ratio, days: number): Ratio {
  if (daily.value === null) return daily;
  if (daily.value <= 0) return missingRatio('no_gain');
  if (error.value === null) return error;
  const shape = error.value ** 2 * (days - 1);
  return ratio(1 + shape * (normalQuantile(CONFIDENCE) / daily.value) ** 2, 'zero_variance');
}

/**
 * {@link probabilisticSharpe} against the best ratio that luck alone would show in as many trials. Source: Bailey and López de
 * Prado 2014. `sharpes` are the daily ratios of all trials; `trials` is the number ever made, where that is more.
 */
export function deflatedSharpe(
  returns: readonly number[],
  sharpes: readonly number[],
  trials = sharpes.length,
): Ratio {
  if (sharpes.length < 2) return missingRatio('too_few');
  return probabilisticSharpe(returns, expectedBestSharpe(deviation(sharpes), trials));
}

/** The expected highest Sharpe ratio among `trials` trials without any skill. */
const expectedBestSharpe = (spread: number, trials: number): number =>
  spread * ((1 - GAMMA) * normalQuantile(1 - 1 / trials) + GAMMA * normalQuantile(1 - 1 / (trials * Math.E)));

/** The number of slices. Every half of them is tried as the sample; the other half follows it. */
const SLICES = 16;

/** Sums of daily returns and of their squares, by slice and then by trial. */
type SliceSums = { readonly sums: readonly Float64Array[]; readonly squares: readonly Float64Array[] };

/**
 * The probability that the best trial in the sample lies in the lower half out of sample. Method: combinatorially symmetric
 * cross-validation, Bailey and others 2015. `trials` are daily returns over the same days; the oldest are left out so that
 * the slices have equal length. Of equal trials the first is the best. Sums are stored by slice: 12,870 halves of 25 trials
 * are some 5 million additions.
 */
export function probabilityOfOverfitting(trials: readonly (readonly number[])[], slices = SLICES): Ratio {
  const days = trials[0]?.length ?? 0;
  if (trials.length < 2 || days < 2 * slices) return missingRatio('too_few');
  if (trials.some(({ length }) => length !== days)) {
    throw new RangeError('Trials are compared over the same days.');
  }
  const perSlice = Math.floor(days / slices);
  const sliced = sumsOf(trials, slices, perSlice);
  let below = 0;
  let halves = 0;
  for (const known of halvesOf(slices)) {
    halves++;
    if (isBestBelowMiddle(sliced, known, (perSlice * slices) / 2)) below++;
  }
  return ratio(below / halves, 'too_few');
}

function sumsOf(trials: readonly (readonly number[])[], slices: number, perSlice: number): SliceSums {
  const days = trials[0]?.length ?? 0;
  const oldest = days - slices * perSlice;
  const bySlice = (of: (value: number) => number) =>
    Array.from({ length: slices }, (_, slice) => {
      const from = oldest + slice * perSlice;
      return Float64Array.from(trials, (returns) =>
        returns.slice(from, from + perSlice).reduce((total, value) => total + of(value), 0),
      );
    });
  return { sums: bySlice((value) => value), squares: bySlice((value) => value * value) };
}

/** λ = ln(ω / (1 - ω)) is not above 0 where the rank is at most half of one more than there are trials. */
function isBestBelowMiddle(sliced: SliceSums, known: readonly boolean[], days: number): boolean {
  const before = sharpesOf(sliced, (slice) => known[slice] === true, days);
  const after = sharpesOf(sliced, (slice) => known[slice] !== true, days);
  const best = before.indexOf(before.reduce((most, value) => Math.max(most, value)));
  const reached = after[best] ?? 0;
  const rank = 1 + after.reduce((below, other) => below + (other < reached ? 1 : 0), 0);
  return rank / (before.length + 1) <= 0.5;
}

/** The Sharpe ratio of each trial over some of the slices. Without any movement it is 0. */
function sharpesOf(
  { sums, squares }: SliceSums,
  isIn: (slice: number) => boolean,
  days: number,
): Float64Array {
  const sum = totalOf(sums, isIn);
  const square = totalOf(squares, isIn);
  return sum.map((total, trial) => {
    const spread = Math.sqrt(Math.max((square[trial] ?? 0) - (total * total) / days, 0) / (days - 1));
    return spread < VARIANCE_FLOOR ? 0 : total / days / spread;
  });
}

function totalOf(bySlice: readonly Float64Array[], isIn: (slice: number) => boolean): Float64Array {
  const total = new Float64Array(bySlice[0]?.length ?? 0);
  for (const [slice, ofTrials] of bySlice.entries()) {
    if (!isIn(slice)) continue;
    for (let trial = 0; trial < total.length; trial++) {
      total[trial] = (total[trial] ?? 0) + (ofTrials[trial] ?? 0);
    }
  }
  return total;
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

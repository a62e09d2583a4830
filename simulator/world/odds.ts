/** Probabilities in the simulated world: pure functions of (seed, time). */
import { DAY_MS } from '../../venues/time.ts';
import { brownianBridge, keyOf } from './keyed-random.ts';
import { dailyPrices } from './recordings.ts';

/** The probability of yes at a time (epoch ms), between 0 and 1. */
export type Odds = (timeMs: number) => number;

export const logit = (p: number): number => Math.log(p / (1 - p));
export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Recorded odds are kept this far from certainty, so that they can be moved. */
const MIN_ODDS = 0.004;
const clamped = (p: number): number => Math.min(1 - MIN_ODDS, Math.max(MIN_ODDS, p));

/** The deviation of a day's random walk, in log odds: larger than in the recorded days, so that an hour shows some movement. */
const DAY_DEVIATION = 0.6;

/**
 * Log odds of a recorded series, one day of the recording per day, with a random walk between days. At its end the series
 * runs backward, and then forward again: it continues by the recorded returns, and never jumps.
 */
export function recordedLogit(name: string, key: number, timeMs: number): number {
  const prices = dailyPrices(name);
  const days = timeMs / DAY_MS + (key % 1_000);
  const day = Math.floor(days);
  const at = (index: number) => logit(clamped(prices[reflected(index, prices.length)] ?? 0.5));
  const part = days - day;
  return at(day) + (at(day + 1) - at(day)) * part + DAY_DEVIATION * brownianBridge(key, day, part);
}

/** 0, 1, … n−1, n−2, … 1, 0, 1, … */
function reflected(index: number, length: number): number {
  const period = 2 * (length - 1);
  const phase = ((index % period) + period) % period;
  return phase < length ? phase : period - phase;
}

/** How one outcome of a question is built: a recorded series, shifted in log odds. */
export type Weight = {
  name: string;
  series: string;
  shift: number;
};

/** From when to when a question can be traded, in epoch ms. */
export type MarketLifetime = {
  opensMs: number;
  closesMs: number;
};

/** A single question. Towards its end it settles on the more likely side. */
export function singleOdds(seed: string, weight: Weight, life: MarketLifetime): Odds {
  const key = keyOf(`${seed}/${weight.name}`);
  return (timeMs) => {
    const log = recordedLogit(weight.series, key, timeMs) + weight.shift;
    return logistic(log * certainty(timeMs, life));
  };
}

/** Outcomes of which exactly one happens: their odds sum to 1. Towards the end one of them takes all. */
export function groupOdds(seed: string, weights: readonly Weight[], life: MarketLifetime): Odds[] {
  const keys = weights.map(({ name }) => keyOf(`${seed}/${name}`));
  const logs = (timeMs: number) =>
    weights.map(({ series, shift }, index) => {
      const key = keys[index] ?? 0;
      return 0.6 * recordedLogit(series, key, timeMs) + shift;
    });
  return weights.map((_, index) => (timeMs) => {
    const sharpness = certainty(timeMs, life);
    const values = logs(timeMs);
    const highest = Math.max(...values);
    const powers = values.map((value) => Math.exp((value - highest) * sharpness));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return (powers[index] ?? 0) / total;
  });
}

/** 1 while the end is far, rising over the last tenth (a week at most): the likely side becomes certain. */
function certainty(timeMs: number, { opensMs, closesMs }: MarketLifetime): number {
  const endgameMs = Math.min(7 * DAY_MS, (closesMs - opensMs) / 10);
  const passed = Math.min(1, Math.max(0, 1 - (closesMs - timeMs) / endgameMs));
  return 1 + 9 * passed ** 4;
}

/** Yearly volatility that the odds of price questions assume. */
const VOLATILITY = 0.5;
const YEAR_MS = 365 * DAY_MS;

/** The odds that a price ends at or above a strike: lognormal, based on the simulated price. */
export function aboveOdds(priceAt: (timeMs: number) => number, strike: () => number, closesMs: number): Odds {
  return (timeMs) => {
    const distance = Math.log(priceAt(Math.min(timeMs, closesMs)) / strike());
    const leftMs = closesMs - timeMs;
    if (leftMs <= 0) return distance >= 0 ? 1 : 0;
    return normal(distance / (VOLATILITY * Math.sqrt(leftMs / YEAR_MS)));
  };
}

/** The standard normal distribution function (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return x >= 0 ? 1 - tail : tail;
}

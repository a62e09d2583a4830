/** Arithmetic over the last numbers of an input, oldest first. */
import { equal } from '../../values.ts';

export type NumberWindow = Float64Array | readonly number[];

/** Adds oldest first. By index, like all sums here: the iterator of a typed array takes ten times as long. */
export function sumOf(window: NumberWindow): number {
  let sum = 0;
  for (let i = 0; i < window.length; i++) sum += window[i] as number;
  return sum;
}

export const mean = (window: NumberWindow): number => sumOf(window) / window.length;

/** Population standard deviation around the mean. */
export function deviation(window: NumberWindow, average = mean(window)): number {
  let squares = 0;
  for (let i = 0; i < window.length; i++) squares += ((window[i] as number) - average) ** 2;
  return Math.sqrt(squares / window.length);
}

export function highest(window: NumberWindow): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < window.length; i++) most = Math.max(most, window[i] as number);
  return most;
}

export function lowest(window: NumberWindow): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < window.length; i++) least = Math.min(least, window[i] as number);
  return least;
}

/** Slope of the least-squares line, per step. */
export function slope(window: NumberWindow): number {
  const middle = (window.length - 1) / 2;
  const average = mean(window);
  let product = 0;
  let square = 0;
  for (let i = 0; i < window.length; i++) {
    product += (i - middle) * ((window[i] as number) - average);
    square += (i - middle) ** 2;
  }
  return product / square;
}

/** Percentage of earlier values that are not above the newest, 0 to 100. */
export function percentRank(window: NumberWindow): number {
  const others = window.length - 1;
  const newest = window[others] as number;
  let notAbove = 0;
  for (let i = 0; i < others; i++) if ((window[i] as number) <= newest) notAbove++;
  return (100 * notAbove) / others;
}

export function rootMeanSquareOfChanges(window: NumberWindow): number {
  let squares = 0;
  for (let i = 1; i < window.length; i++)
    squares += Math.log((window[i] as number) / (window[i - 1] as number)) ** 2;
  return Math.sqrt(squares / (window.length - 1));
}

/** Whether a window has no movement: then there are no gains, losses or deviations to divide by, 0 ÷ 0. */
export function isFlat(window: NumberWindow): boolean {
  return window.every((value) => equal(value, window[0] as number));
}

/** Averages in which older values weigh less, and what is made of them. Each is computed from the start of its window. */
import type { NumberWindow } from './window-arithmetic.ts';
import type { WindowCandles } from './window-candles.ts';

/** Exponential average, weight 2 ÷ (`period` + 1), which starts at the first value. */
export function exponentialAverage(window: NumberWindow, period: number): number {
  const weight = weightOf(period);
  let average = window[0] as number;
  for (let i = 0; i < window.length; i++) average = blend(average, window[i] as number, weight);
  return average;
}

const weightOf = (period: number): number => 2 / (period + 1);

const blend = (average: number, value: number, weight: number): number =>
  value * weight + average * (1 - weight);

export type ConvergencePeriods = { readonly fast: number; readonly slow: number; readonly signal: number };

/** Difference of two exponential averages, and its own average, which starts once the slow one has `slow` values. */
export function convergence(window: NumberWindow, periods: ConvergencePeriods) {
  const [fastWeight, slowWeight] = [weightOf(periods.fast), weightOf(periods.slow)];
  const signalWeight = weightOf(periods.signal);
  let fast = window[0] as number;
  let slow = fast;
  let macd = 0;
  let signal = 0;
  for (let i = 0; i < window.length; i++) {
    fast = blend(fast, window[i] as number, fastWeight);
    slow = blend(slow, window[i] as number, slowWeight);
    if (i + 1 < periods.slow) continue;
    macd = fast - slow;
    signal = blend(i + 1 === periods.slow ? macd : signal, macd, signalWeight);
  }
  return { macd, signal, histogram: macd - signal };
}

/**
 * One step of Wilder's average: the mean of the first `period` values, then smoothed by 1 ÷ `period`. Before that it is their sum.
 *
 * @param seen number of values before this one
 */
export function wilder(average: number, value: number, seen: number, period: number): number {
  if (seen >= period) return average + (value - average) * (1 / period);
  const sum = average + value;
  return seen + 1 === period ? sum / period : sum;
}

/** Relative strength index of Wilder, 0 to 100. */
export function strengthIndex(window: NumberWindow, period: number): number {
  let [gain, loss] = [0, 0];
  for (let i = 1; i < window.length; i++) {
    const change = (window[i] as number) - (window[i - 1] as number);
    gain = wilder(gain, change > 0 ? change : 0, i - 1, period);
    loss = wilder(loss, change > 0 ? 0 : -change, i - 1, period);
  }
  return loss === 0 ? 100 : 100 - 100 / (gain / loss + 1);
}

/** Range of a candle and of its gap to the close before it. The first one has no gap. */
export function trueRange({ high, low, close }: WindowCandles, index: number): number {
  const [top, bottom] = [high[index] as number, low[index] as number];
  if (index === 0) return top - bottom;
  const before = close[index - 1] as number;
  return Math.max(top - bottom, Math.abs(top - before), Math.abs(bottom - before));
}

export function averageTrueRange(bars: WindowCandles, period: number): number {
  let average = 0;
  for (let i = 0; i < bars.count; i++) average = wilder(average, trueRange(bars, i), i, period);
  return average;
}

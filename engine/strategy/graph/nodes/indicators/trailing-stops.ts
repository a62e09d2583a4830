/** Trailing stops that change sides, computed from the start of their window. */
import { trueRange, wilder } from './decaying-averages.ts';
import type { WindowCandles } from './window-candles.ts';

/**
 * Supertrend: bands at a multiple of the average true range around (high + low) ÷ 2. They only tighten while the previous close
 * is within them. The line is the lower band in a rise and the upper one in a fall. It turns when the close crosses it, and
 * starts in a fall.
 */
export function supertrendLine(bars: WindowCandles, period: number, multiple: number): number {
  const { high, low, close, count } = bars;
  let average = 0;
  let upper = Number.NaN;
  let lower = Number.NaN;
  let isUp = false;
  for (let i = 0; i < count; i++) {
    const [top, bottom, last] = [high[i] as number, low[i] as number, close[i] as number];
    average = wilder(average, trueRange(bars, i), i, period);
    if (i + 1 < period) continue;
    const middle = (top + bottom) / 2;
    const [ceiling, floor] = [middle + multiple * average, middle - multiple * average];
    const before = i === 0 ? last : (close[i - 1] as number);
    const isFirst = Number.isNaN(upper);
    upper = ceiling < upper || !(before <= upper) ? ceiling : upper;
    lower = floor > lower || !(before >= lower) ? floor : lower;
    isUp = !isFirst && (isUp ? last >= lower : last > upper);
  }
  return isUp ? lower : upper;
}

/** Parabolic stop and reverse of Wilder (1978), ch. 2, started and turned as in TA-Lib. */
export function parabolicSar({ high, low, count }: WindowCandles, step: number, most: number): number {
  const [rise, fall] = [at(high, 1) - at(high, 0), at(low, 0) - at(low, 1)];
  let isUp = !(fall > 0 && fall > rise);
  let stop = isUp ? at(low, 0) : at(high, 0);
  let extreme = isUp ? at(high, 1) : at(low, 1);
  let speed = step;
  for (let i = 1; i < count; i++) {
    const [top, bottom] = [at(high, i), at(low, i)];
    // Never within the ranges of today's and yesterday's candles, on either side.
    if (i > 1) {
      stop += speed * (extreme - stop);
      const [one, other] = [i - 1, i - 2];
      stop = isUp
        ? Math.min(stop, at(low, one), at(low, other))
        : Math.max(stop, at(high, one), at(high, other));
    }
    if (isUp ? bottom <= stop : top >= stop) {
      isUp = !isUp;
      stop = isUp ? Math.min(extreme, bottom, at(low, i - 1)) : Math.max(extreme, top, at(high, i - 1));
      extreme = isUp ? top : bottom;
      speed = step;
    } else if (isUp ? top > extreme : bottom < extreme) {
      extreme = isUp ? top : bottom;
      speed = Math.min(speed + step, most);
    }
  }
  return stop;
}

const at = (column: Float64Array, index: number): number => column[index] as number;

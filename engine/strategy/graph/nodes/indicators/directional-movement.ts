import type { WindowCandles } from './window-candles.ts';

/**
 * Directions and index of Wilder (1978), ch. 4. Moves begin with the second candle; each average begins with the mean of its
 * first values.
 */
export function directionalMovement(
  { high, low, close, count }: WindowCandles,
  period: number,
): { plus: number; minus: number; adx: number } {
  const [range, up, down, index] = [
    smoothing(period),
    smoothing(period),
    smoothing(period),
    smoothing(period),
  ];
  let plus = Number.NaN;
  let minus = Number.NaN;
  let adx = Number.NaN;
  for (let i = 1; i < count; i++) {
    const [top, bottom, before] = [high[i] as number, low[i] as number, close[i - 1] as number];
    const rise = top - (high[i - 1] as number);
    const fall = (low[i - 1] as number) - bottom;
    const trueRange = range(Math.max(top - bottom, Math.abs(top - before), Math.abs(bottom - before)));
    plus = (100 * up(rise > fall && rise > 0 ? rise : 0)) / trueRange;
    minus = (100 * down(fall > rise && fall > 0 ? fall : 0)) / trueRange;
    if (i >= period) adx = index(plus + minus === 0 ? 0 : (100 * Math.abs(plus - minus)) / (plus + minus));
  }
  return { plus, minus, adx };
}

/** Wilder's average: the mean of the first `period` values, then (average × (period − 1) + value) ÷ period. */
function smoothing(period: number): (value: number) => number {
  let seen = 0;
  let average = 0;
  return (value) => {
    seen = Math.min(seen + 1, period);
    average += (value - average) / seen;
    return average;
  };
}

import { trueRange } from './decaying-averages.ts';
import type { WindowCandles } from './window-candles.ts';

/**
 * Directions and index of Wilder (1978), ch. 4. Moves begin with the second candle; each average begins with the mean of its
 * first values.
 */
export function directionalMovement(
  bars: WindowCandles,
  period: number,
): { plus: number; minus: number; adx: number } {
  const { high, low, count } = bars;
  let [range, up, down] = [0, 0, 0];
  let [plus, minus, adx] = [Number.NaN, Number.NaN, Number.NaN];
  for (let i = 1; i < count; i++) {
    const rise = (high[i] as number) - (high[i - 1] as number);
    const fall = (low[i - 1] as number) - (low[i] as number);
    const seen = Math.min(i, period);
    range += (trueRange(bars, i) - range) / seen;
    up += ((rise > fall && rise > 0 ? rise : 0) - up) / seen;
    down += ((fall > rise && fall > 0 ? fall : 0) - down) / seen;
    plus = (100 * up) / range;
    minus = (100 * down) / range;
    if (i < period) continue;
    const index = plus + minus === 0 ? 0 : (100 * Math.abs(plus - minus)) / (plus + minus);
    adx = i === period ? index : adx + (index - adx) / Math.min(i - period + 1, period);
  }
  return { plus, minus, adx };
}

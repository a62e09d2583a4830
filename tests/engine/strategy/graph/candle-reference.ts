/** Indicators of whole candles, written out from their books: arrays of all values, oldest first, and the last one of each. */
import type { Candle } from '../../../../engine/strategy/graph/types.ts';
import { atr, ema, mean, wilder } from './reference.ts';

type Bars = readonly Candle[];

const highest = (bars: Bars) => Math.max(...bars.map(({ high }) => high));
const lowest = (bars: Bars) => Math.min(...bars.map(({ low }) => low));
const closes = (bars: Bars) => bars.map(({ close }) => close);
const typical = (bars: Bars) => bars.map(({ high, low, close }) => (high + low + close) / 3);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** Each bar with the one before it. */
const pairs = (bars: Bars) => bars.slice(1).map((bar, i) => [bars[i] as Candle, bar] as const);

export const middleOf = (bars: Bars) => (highest(bars) + lowest(bars)) / 2;
export const channel = { highest, lowest };

/** Source: Murphy, Technical Analysis of the Financial Markets (1999), ch. 10. */
export function stochastic(bars: Bars, period: number, smooth: number, signal: number) {
  const fast = bars.slice(period - 1).map(({ close }, i) => {
    const window = bars.slice(i, i + period);
    return (100 * (close - lowest(window))) / (highest(window) - lowest(window));
  });
  const k = fast.slice(smooth - 1).map((_, i) => mean(fast.slice(i, i + smooth)));
  return { k: k.at(-1) as number, d: mean(k.slice(-signal)) };
}

/** Source: Wilder, New Concepts in Technical Trading Systems (1978), ch. 4. */
export function adx(bars: Bars, period: number) {
  const ranges = pairs(bars).map(([before, { high, low }]) =>
    Math.max(high - low, Math.abs(high - before.close), Math.abs(low - before.close)),
  );
  const moves = pairs(bars).map(([before, { high, low }]) => {
    const [up, down] = [high - before.high, before.low - low];
    return { up: up > down && up > 0 ? up : 0, down: down > up && down > 0 ? down : 0 };
  });
  const directionsAt = (end: number) => {
    const range = wilder(ranges.slice(0, end), period);
    const of = (side: 'up' | 'down') =>
      (100 *
        wilder(
          moves.slice(0, end).map((move) => move[side]),
          period,
        )) /
      range;
    return { plus: of('up'), minus: of('down') };
  };
  const indexes: number[] = [];
  for (let end = period; end <= moves.length; end++) {
    const { plus, minus } = directionsAt(end);
    indexes.push((100 * Math.abs(plus - minus)) / (plus + minus));
  }
  return { ...directionsAt(moves.length), adx: wilder(indexes, period) };
}

/** Source: Lambert, Commodities (October 1980). */
export function cci(bars: Bars) {
  const prices = typical(bars);
  const middle = mean(prices);
  return (
    ((prices.at(-1) as number) - middle) / (0.015 * mean(prices.map((price) => Math.abs(price - middle))))
  );
}

/** Source: Quong and Soudack, Technical Analysis of Stocks & Commodities (March 1989). */
export function mfi(bars: Bars) {
  const prices = typical(bars);
  const flows = pairs(bars).map(([, { volume }], i) => {
    const change = (prices[i + 1] as number) - (prices[i] as number);
    return { change, money: (prices[i + 1] as number) * volume };
  });
  const of = (sign: number) => sum(flows.filter(({ change }) => change * sign > 0).map(({ money }) => money));
  return 100 - 100 / (1 + of(1) / of(-1));
}

export const vwap = (bars: Bars) =>
  sum(typical(bars).map((price, i) => price * (bars[i] as Candle).volume)) /
  sum(bars.map(({ volume }) => volume));

/** Source: Granville, New Key to Stock Market Profits (1963). */
export const obv = (bars: Bars) =>
  sum(
    pairs(bars).map(([before, { close, volume }]) =>
      close > before.close ? volume : close < before.close ? -volume : 0,
    ),
  );

export function keltner(bars: Bars, period: number, multiple: number) {
  const middle = ema(closes(bars), period).at(-1) as number;
  return {
    middle,
    upper: middle + multiple * atr(bars, period),
    lower: middle - multiple * atr(bars, period),
  };
}

/** Source: `ta.supertrend` of Pine, whose trend starts down. */
export function supertrend(bars: Bars, period: number, multiple: number) {
  const first = period - 1;
  const bands = bars.slice(first).map(({ high, low }, i) => {
    const range = multiple * atr(bars.slice(0, first + i + 1), period);
    return { lower: (high + low) / 2 - range, upper: (high + low) / 2 + range };
  });
  let { lower, upper } = bands[0] as { lower: number; upper: number };
  let line = upper;
  for (const [i, band] of bands.entries()) {
    if (i === 0) continue;
    const wasUpper = line === upper;
    const [before, { close }] = [bars[first + i - 1] as Candle, bars[first + i] as Candle];
    if (band.lower > lower || before.close < lower) lower = band.lower;
    if (band.upper < upper || before.close > upper) upper = band.upper;
    const isDown = wasUpper ? close <= upper : close < lower;
    line = isDown ? upper : lower;
  }
  return line;
}

/** Source: TA_SAR of TA-Lib: each bar is compared with the stop that the bar before left for it. */
export function psar(bars: Bars, step: number, most: number) {
  const [zero, one] = [bars[0] as Candle, bars[1] as Candle];
  const down = zero.low - one.low;
  let long = !(down > 0 && down > one.high - zero.high);
  let extreme = long ? one.high : one.low;
  let next = long ? zero.low : zero.high;
  let factor = step;
  let said = Number.NaN;
  for (const [before, { high, low }] of pairs([one, ...bars.slice(1)])) {
    if (long && low <= next) {
      long = false;
      said = Math.max(extreme, before.high, high);
      [factor, extreme] = [step, low];
      next = Math.max(said + factor * (extreme - said), before.high, high);
    } else if (!long && high >= next) {
      long = true;
      said = Math.min(extreme, before.low, low);
      [factor, extreme] = [step, high];
      next = Math.min(said + factor * (extreme - said), before.low, low);
    } else if (long) {
      said = next;
      if (high > extreme) [extreme, factor] = [high, Math.min(factor + step, most)];
      next = Math.min(said + factor * (extreme - said), before.low, low);
    } else {
      said = next;
      if (low < extreme) [extreme, factor] = [low, Math.min(factor + step, most)];
      next = Math.max(said + factor * (extreme - said), before.high, high);
    }
  }
  return said;
}

/** Source: Parkinson, Journal of Business 53 (1980); Garman and Klass, the same volume. */
export const volatility = {
  close: (bars: Bars) =>
    Math.sqrt(mean(pairs(bars).map(([before, { close }]) => Math.log(close / before.close) ** 2))),
  parkinson: (bars: Bars) =>
    Math.sqrt(mean(bars.map(({ high, low }) => Math.log(high / low) ** 2)) / (4 * Math.log(2))),
  garmanKlass: (bars: Bars) =>
    Math.sqrt(
      mean(
        bars.map(
          ({ open, high, low, close }) =>
            0.5 * Math.log(high / low) ** 2 - (2 * Math.log(2) - 1) * Math.log(close / open) ** 2,
        ),
      ),
    ),
};

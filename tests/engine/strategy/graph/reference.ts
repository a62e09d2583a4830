/** Indicators written out from their books, independent of the engine’s arithmetic. */
import type { Candle } from '../../../../engine/strategy/graph/types.ts';

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Population standard deviation. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** Weight 2 / (n + 1) on the newest value, started with the first one. Source: Appel, Technical Analysis (2005), ch. 6. */
export function ema(values: readonly number[], period: number): number[] {
  const averages: number[] = [];
  for (const value of values) {
    const previous = averages.at(-1) ?? value;
    averages.push(previous + (2 / (period + 1)) * (value - previous));
  }
  return averages;
}

/** Wilder's smoothing: the mean of the first n, then (previous × (n − 1) + value) / n. Source: Wilder, New Concepts in Technical Trading Systems (1978), ch. 2. */
export function wilder(values: readonly number[], period: number): number {
  return values
    .slice(period)
    .reduce((average, value) => (average * (period - 1) + value) / period, mean(values.slice(0, period)));
}

/** 100 − 100 / (1 + average gain / average loss). Source: Wilder (1978), ch. 6. */
export function rsi(closes: readonly number[], period: number): number {
  const moves = closes.slice(1).map((close, i) => close - (closes[i] as number));
  const gain = wilder(
    moves.map((move) => Math.max(move, 0)),
    period,
  );
  const loss = wilder(
    moves.map((move) => Math.max(-move, 0)),
    period,
  );
  return 100 - 100 / (1 + gain / loss);
}

/** Wilder's average of max(high − low, |high − previous close|, |low − previous close|). Source: Wilder (1978), ch. 3. */
export function atr(bars: readonly Candle[], period: number): number {
  const ranges = bars.map(({ high, low }, i) => {
    const previous = bars[i - 1]?.close;
    return previous === undefined
      ? high - low
      : Math.max(high - low, Math.abs(high - previous), Math.abs(low - previous));
  });
  return wilder(ranges, period);
}

/** EMA(fast) − EMA(slow), its EMA(signal) from the first bar on which the slow average is complete. Source: Appel (2005), ch. 8. */
export function macd(closes: readonly number[], fast: number, slow: number, signal: number) {
  const fastLine = ema(closes, fast);
  const slowLine = ema(closes, slow);
  const line = fastLine.map((value, i) => value - (slowLine[i] as number)).slice(slow - 1);
  const signalLine = ema(line, signal);
  const [last, smooth] = [line.at(-1) as number, signalLine.at(-1) as number];
  return { macd: last, signal: smooth, histogram: last - smooth };
}

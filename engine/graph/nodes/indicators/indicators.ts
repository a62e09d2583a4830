/**
 * The one adapter to the indicator library. Every indicator is a pure function of its last `window`
 * inputs: a fresh instance is fed exactly those, so that a restart, a replay and a backtest agree.
 */
import {
  ATR,
  BollingerBands,
  EMA,
  getAverage,
  getStandardDeviation,
  MACD,
  Period,
  ROC,
  RSI,
} from 'trading-signals';
import type { ClosedCandles } from '../../candles.ts';
import type { Value } from '../../types.ts';
import { equal, finite } from '../../values.ts';

/** Decaying averages are fed ten times their longest period: what came before weighs under 5e-5. */
const DECAY_PERIODS = 10;

export type Indicator = {
  readonly name: string;
  /** Inputs it is computed from. */
  readonly window: number;
  /** Uses high, low and close of whole candles; then `ofNumbers` is not called. */
  readonly needsCandles: boolean;
  /** Equal for equal calculations. */
  readonly key: string;
  ofNumbers(window: Numbers): Value;
  /** Of the candles from `start` to before `end`. */
  ofCandles(candles: ClosedCandles, start: number, end: number): Value;
};

export type IndicatorConfig =
  | { kind: 'sma' | 'ema' | 'rsi' | 'atr' | 'zscore' | 'change' | 'highest' | 'lowest'; period: number }
  | { kind: 'macd'; fast: number; slow: number; signal: number; band: 'macd' | 'signal' | 'histogram' }
  | { kind: 'bollinger'; period: number; deviations: number; band: 'upper' | 'middle' | 'lower' };

export type Numbers = Float64Array | readonly number[];

type OfNumbers = (window: Numbers) => number;

export function indicatorOf(config: IndicatorConfig): Indicator {
  switch (config.kind) {
    case 'sma':
      return series('SMA', config.period, config, mean);
    case 'ema':
      return series('EMA', DECAY_PERIODS * config.period, config, (window) =>
        last(new EMA(config.period), window),
      );
    case 'rsi':
      return series('RSI', DECAY_PERIODS * config.period, config, (window) =>
        isFlat(window) ? Number.NaN : last(new RSI(config.period), window),
      );
    case 'change':
      return series('Change', config.period + 1, config, (window) => last(new ROC(config.period), window));
    case 'zscore':
      return series('Z-score', config.period, config, zScore);
    case 'highest':
      return series('Highest', config.period, config, (window) => extremes(config.period, window).highest);
    case 'lowest':
      return series('Lowest', config.period, config, (window) => extremes(config.period, window).lowest);
    case 'bollinger':
      return series('Bollinger bands', config.period, config, (window) => {
        const bands = new BollingerBands(config.period, config.deviations);
        bands.updates([...window], false);
        return bands.getResultOrThrow()[config.band];
      });
    case 'macd':
      return series('MACD', DECAY_PERIODS * Math.max(config.slow, config.signal), config, (window) => {
        const macd = new MACD(new EMA(config.fast), new EMA(config.slow), new EMA(config.signal));
        macd.updates([...window], false);
        return macd.getResultOrThrow()[config.band];
      });
    case 'atr':
      return {
        ...series('ATR', DECAY_PERIODS * config.period, config, () => Number.NaN),
        needsCandles: true,
        ofCandles(candles, start, end) {
          const ranges = new ATR(config.period);
          for (let place = start; place < end; place++) ranges.add(candles.at(place));
          return finite(ranges.getResultOrThrow());
        },
      };
  }
}

function series(name: string, window: number, config: IndicatorConfig, ofNumbers: OfNumbers): Indicator {
  return {
    name,
    window,
    needsCandles: false,
    key: Object.values(config).join(','),
    ofNumbers: (values) => finite(ofNumbers(values)),
    ofCandles: () => finite(Number.NaN),
  };
}

/** As the library adds them up, oldest first, so that the last digit is its own; its windows cost their square. */
function mean(window: Numbers): number {
  let sum = 0;
  for (const value of window) sum += value;
  return sum / window.length;
}

type Streaming = {
  add(input: number): unknown;
  getResultOrThrow(): number;
};

function last(indicator: Streaming, window: Numbers): number {
  for (const value of window) indicator.add(value);
  return indicator.getResultOrThrow();
}

function extremes(period: number, window: Numbers) {
  const extreme = new Period(period);
  extreme.updates([...window]);
  return extreme.getResultOrThrow();
}

/** Without movement there are neither gains nor losses nor a deviation to measure by: 0 ÷ 0. */
function isFlat(window: Numbers): boolean {
  return window.every((value) => equal(value, window[0] as number));
}

function zScore(window: Numbers): number {
  if (isFlat(window)) return Number.NaN;
  const mean = getAverage([...window]);
  return ((window.at(-1) as number) - mean) / getStandardDeviation([...window], mean);
}

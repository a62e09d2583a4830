/**
 * The one adapter to the indicator library. Every indicator is a pure function of its last `window` inputs. A new instance
 * receives exactly those, so that a restart, a replay and a backtest agree.
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
import { finite } from '../../values.ts';
import { type CandleIndicatorConfig, candleIndicatorKind } from './candle-indicator-kinds.ts';
import { DECAY_PERIODS, type IndicatorConfig } from './indicator-settings.ts';
import {
  isFlat,
  mean,
  type NumberWindow,
  numbersOf,
  percentRank,
  rootMeanSquareOfChanges,
  slope,
  sumOf,
} from './window-arithmetic.ts';
import { windowCandlesOf } from './window-candles.ts';

export type Indicator = {
  readonly name: string;
  /** Number of inputs it is computed from. */
  readonly window: number;
  /** Needs high, low and close of whole candles; then `ofNumbers` is not called. */
  readonly needsCandles: boolean;
  /** Equal for equal calculations. */
  readonly key: string;
  ofNumbers(window: NumberWindow): Value;
  /** Computes the value from the candles `start` to before `end`. */
  ofCandles(candles: ClosedCandles, start: number, end: number): Value;
};

type OfNumbers = (window: NumberWindow) => number;

export function indicatorOf(config: IndicatorConfig): Indicator {
  switch (config.kind) {
    case 'sma':
      return overNumbers('SMA', config.period, config, mean);
    case 'ema':
      return overNumbers('EMA', DECAY_PERIODS * config.period, config, (window) =>
        last(new EMA(config.period), window),
      );
    case 'rsi':
      return overNumbers('RSI', DECAY_PERIODS * config.period, config, (window) =>
        isFlat(window) ? Number.NaN : last(new RSI(config.period), window),
      );
    case 'change':
      return overNumbers('Change', config.period + 1, config, (window) =>
        last(new ROC(config.period), window),
      );
    case 'zscore':
      return overNumbers('Z-score', config.period, config, zScore);
    case 'highest':
      return overNumbers(
        'Highest',
        config.period,
        config,
        (window) => extremes(config.period, window).highest,
      );
    case 'lowest':
      return overNumbers('Lowest', config.period, config, (window) => extremes(config.period, window).lowest);
    case 'sum':
      return overNumbers('Sum', config.period, config, sumOf);
    case 'stddev':
      return overNumbers('Standard deviation', config.period, config, (window) =>
        getStandardDeviation(numbersOf(window), mean(window)),
      );
    case 'slope':
      return overNumbers('Slope', config.period, config, slope);
    case 'percentRank':
      return overNumbers('Percent rank', config.period + 1, config, percentRank);
    case 'volatility':
      if (config.estimator === 'close')
        return overNumbers('Volatility', config.period + 1, config, rootMeanSquareOfChanges);
      return overCandles(config);
    case 'bollinger':
      return overNumbers('Bollinger bands', config.period, config, (window) => {
        const bands = new BollingerBands(config.period, config.deviations);
        bands.updates(numbersOf(window), false);
        return bands.getResultOrThrow()[config.band];
      });
    case 'macd':
      return overNumbers('MACD', DECAY_PERIODS * Math.max(config.slow, config.signal), config, (window) => {
        const macd = new MACD(new EMA(config.fast), new EMA(config.slow), new EMA(config.signal));
        macd.updates(numbersOf(window), false);
        return macd.getResultOrThrow()[config.band];
      });
    case 'atr':
      return {
        ...overNumbers('ATR', DECAY_PERIODS * config.period, config, () => Number.NaN),
        needsCandles: true,
        ofCandles(candles, start, end) {
          const ranges = new ATR(config.period);
          for (let index = start; index < end; index++) ranges.add(candles.at(index));
          return finite(ranges.getResultOrThrow());
        },
      };
    default:
      return overCandles(config);
  }
}

function overCandles(config: CandleIndicatorConfig): Indicator {
  const { name, window, of } = candleIndicatorKind(config);
  return {
    ...overNumbers(name, window, config, () => Number.NaN),
    needsCandles: true,
    ofCandles: (candles, start, end) => finite(of(windowCandlesOf(candles, start, end))),
  };
}

/** A calculation over the last numbers of an input, with the `settings` it depends on. */
export function overNumbers(name: string, window: number, settings: object, ofNumbers: OfNumbers): Indicator {
  return {
    name,
    window,
    needsCandles: false,
    key: Object.values(settings).join(','),
    ofNumbers: (values) => finite(ofNumbers(values)),
    ofCandles: () => finite(Number.NaN),
  };
}

type Streaming = {
  add(input: number): unknown;
  getResultOrThrow(): number;
};

function last(indicator: Streaming, window: NumberWindow): number {
  for (let i = 0; i < window.length; i++) indicator.add(window[i] as number);
  return indicator.getResultOrThrow();
}

function extremes(period: number, window: NumberWindow) {
  const extreme = new Period(period);
  extreme.updates(numbersOf(window));
  return extreme.getResultOrThrow();
}

function zScore(window: NumberWindow): number {
  if (isFlat(window)) return Number.NaN;
  const numbers = numbersOf(window);
  const average = getAverage(numbers);
  return ((window.at(-1) as number) - average) / getStandardDeviation(numbers, average);
}

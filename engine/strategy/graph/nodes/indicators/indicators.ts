/** Indicators: pure functions of their last `window` inputs, so that a restart, a replay and a backtest agree. */
import type { ClosedCandles } from '../../candles.ts';
import type { Value } from '../../types.ts';
import { finite } from '../../values.ts';
import { type CandleIndicatorConfig, candleIndicatorKind } from './candle-indicator-kinds.ts';
import { convergence, exponentialAverage, strengthIndex } from './decaying-averages.ts';
import { DECAY_PERIODS, type IndicatorConfig } from './indicator-settings.ts';
import {
  deviation,
  highest,
  isFlat,
  lowest,
  mean,
  type NumberWindow,
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
        exponentialAverage(window, config.period),
      );
    case 'rsi':
      return overNumbers('RSI', DECAY_PERIODS * config.period, config, (window) =>
        isFlat(window) ? Number.NaN : strengthIndex(window, config.period),
      );
    case 'change':
      return overNumbers('Change', config.period + 1, config, change);
    case 'zscore':
      return overNumbers('Z-score', config.period, config, zScore);
    case 'highest':
      return overNumbers('Highest', config.period, config, highest);
    case 'lowest':
      return overNumbers('Lowest', config.period, config, lowest);
    case 'sum':
      return overNumbers('Sum', config.period, config, sumOf);
    case 'stddev':
      return overNumbers('Standard deviation', config.period, config, (window) => deviation(window));
    case 'slope':
      return overNumbers('Slope', config.period, config, slope);
    case 'percentRank':
      return overNumbers('Percent rank', config.period + 1, config, percentRank);
    case 'volatility':
      if (config.estimator === 'close')
        return overNumbers('Volatility', config.period + 1, config, rootMeanSquareOfChanges);
      return overCandles(config);
    case 'bollinger':
      return overNumbers('Bollinger bands', config.period, config, (window) => bandOf(window, config));
    case 'macd':
      return overNumbers(
        'MACD',
        DECAY_PERIODS * Math.max(config.slow, config.signal),
        config,
        (window) => convergence(window, config)[config.band],
      );
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

function change(window: NumberWindow): number {
  const [first, last] = [window[0] as number, window[window.length - 1] as number];
  return (last - first) / first;
}

function zScore(window: NumberWindow): number {
  if (isFlat(window)) return Number.NaN;
  const average = mean(window);
  return ((window[window.length - 1] as number) - average) / deviation(window, average);
}

function bandOf(
  window: NumberWindow,
  { deviations, band }: Extract<IndicatorConfig, { kind: 'bollinger' }>,
): number {
  const middle = mean(window);
  const width = band === 'middle' ? 0 : deviation(window, middle) * deviations;
  return band === 'lower' ? middle - width : middle + width;
}

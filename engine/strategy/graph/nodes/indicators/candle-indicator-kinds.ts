/** Indicators of whole candles: pure functions of the columns of their window, oldest first. */
import { averageTrueRange, exponentialAverage } from './decaying-averages.ts';
import { directionalMovement } from './directional-movement.ts';
import { DECAY_PERIODS, type IndicatorConfig } from './indicator-settings.ts';
import { parabolicSar, supertrendLine } from './trailing-stops.ts';
import type { WindowCandles } from './window-candles.ts';

type CandleKindName =
  | 'atr'
  | 'volatility'
  | 'stochastic'
  | 'adx'
  | 'cci'
  | 'mfi'
  | 'vwap'
  | 'obv'
  | 'donchian'
  | 'keltner'
  | 'supertrend'
  | 'psar'
  | 'ichimoku'
  | 'heikinAshi';
export type CandleIndicatorConfig = Extract<IndicatorConfig, { kind: CandleKindName }>;

type CandleKind = { readonly name: string; readonly window: number; of(bars: WindowCandles): number };

const PSAR_WINDOW = 200;
const DAY_MS = 86_400_000;

export function candleIndicatorKind(config: CandleIndicatorConfig): CandleKind {
  switch (config.kind) {
    case 'atr':
      return {
        name: 'ATR',
        window: DECAY_PERIODS * config.period,
        of: (bars) => averageTrueRange(bars, config.period),
      };
    case 'volatility':
      return {
        name: 'Volatility',
        window: config.period,
        of: config.estimator === 'parkinson' ? parkinson : garmanKlass,
      };
    case 'stochastic':
      return {
        name: 'Stochastic',
        window: config.period + config.smooth + config.signal - 2,
        of: (bars) => stochastic(bars, config),
      };
    case 'adx':
      return {
        name: 'ADX',
        window: DECAY_PERIODS * config.period,
        of: (bars) => directionalMovement(bars, config.period)[config.band],
      };
    case 'cci':
      return { name: 'CCI', window: config.period, of: channelIndex };
    case 'mfi':
      return { name: 'MFI', window: config.period + 1, of: moneyFlow };
    case 'vwap':
      return {
        name: 'VWAP',
        window: config.period,
        of: config.session === 'day' ? dayVwap : (bars) => vwap(bars, 0),
      };
    case 'obv':
      return { name: 'OBV', window: config.period + 1, of: onBalanceVolume };
    case 'donchian':
      return {
        name: 'Donchian channel',
        window: config.period,
        of: (bars) => ranges(bars, bars.count)[config.band],
      };
    case 'keltner':
      return {
        name: 'Keltner channel',
        window: DECAY_PERIODS * config.period,
        of: (bars) => keltner(bars, config),
      };
    case 'supertrend':
      return {
        name: 'Supertrend',
        window: DECAY_PERIODS * config.period,
        of: (bars) => supertrendLine(bars, config.period, config.multiple),
      };
    case 'psar':
      return {
        name: 'Parabolic SAR',
        window: PSAR_WINDOW,
        of: (bars) => parabolicSar(bars, config.step, config.most),
      };
    case 'ichimoku':
      return {
        name: 'Ichimoku',
        window: Math.max(config.conversion, config.base, config.span),
        of: (bars) => ichimoku(bars, config),
      };
    case 'heikinAshi':
      return {
        name: 'Heikin-Ashi',
        window: 1,
        of: ({ open, high, low, close }) => (at(open, 0) + at(high, 0) + at(low, 0) + at(close, 0)) / 4,
      };
  }
}

const at = (column: Float64Array, index: number): number => column[index] as number;

const typical = ({ high, low, close }: WindowCandles, index: number): number =>
  (at(high, index) + at(low, index) + at(close, index)) / 3;

function parkinson({ high, low, count }: WindowCandles): number {
  let squares = 0;
  for (let i = 0; i < count; i++) squares += Math.log(at(high, i) / at(low, i)) ** 2;
  return Math.sqrt(squares / (4 * Math.LN2 * count));
}

function garmanKlass({ open, high, low, close, count }: WindowCandles): number {
  let sum = 0;
  for (let i = 0; i < count; i++)
    sum +=
      Math.log(at(high, i) / at(low, i)) ** 2 / 2 -
      (2 * Math.LN2 - 1) * Math.log(at(close, i) / at(open, i)) ** 2;
  return Math.sqrt(sum / count);
}

/** Returns the highest high and lowest low of `length` candles before `end`. */
function ranges({ high, low }: WindowCandles, length: number, end = high.length) {
  let upper = Number.NEGATIVE_INFINITY;
  let lower = Number.POSITIVE_INFINITY;
  for (let i = end - length; i < end; i++) {
    upper = Math.max(upper, at(high, i));
    lower = Math.min(lower, at(low, i));
  }
  return { upper, lower, middle: (upper + lower) / 2 };
}

function stochastic(
  bars: WindowCandles,
  config: Extract<CandleIndicatorConfig, { kind: 'stochastic' }>,
): number {
  const { period, smooth } = config;
  /** NaN without movement: 0 ÷ 0. */
  const fast = (index: number) => {
    const { upper, lower } = ranges(bars, period, index + 1);
    return (100 * (at(bars.close, index) - lower)) / (upper - lower);
  };
  const last = bars.count - 1;
  const count = config.band === 'k' ? smooth : smooth + config.signal - 1;
  const values = Array.from({ length: count }, (_, back) => fast(last - back));
  const averages = config.band === 'k' ? 1 : config.signal;
  let sum = 0;
  for (let k = 0; k < averages; k++) for (let i = 0; i < smooth; i++) sum += values[k + i] as number;
  return sum / (averages * smooth);
}

function channelIndex(bars: WindowCandles): number {
  const { count } = bars;
  let mean = 0;
  for (let i = 0; i < count; i++) mean += typical(bars, i) / count;
  let deviation = 0;
  for (let i = 0; i < count; i++) deviation += Math.abs(typical(bars, i) - mean) / count;
  return (typical(bars, count - 1) - mean) / (0.015 * deviation);
}

/** NaN if no money flowed: 0 ÷ 0. */
function moneyFlow(bars: WindowCandles): number {
  let up = 0;
  let down = 0;
  for (let i = 1; i < bars.count; i++) {
    const [price, before] = [typical(bars, i), typical(bars, i - 1)];
    if (price > before) up += price * at(bars.volume, i);
    if (price < before) down += price * at(bars.volume, i);
  }
  return (100 * up) / (up + down);
}

/** NaN if nothing was traded: 0 ÷ 0. */
function vwap(bars: WindowCandles, first: number): number {
  let money = 0;
  let units = 0;
  for (let i = first; i < bars.count; i++) {
    money += typical(bars, i) * at(bars.volume, i);
    units += at(bars.volume, i);
  }
  return money / units;
}

/** Averages over the day of the newest candle; NaN unless the day's first candle is within the window. */
function dayVwap(bars: WindowCandles): number {
  const { openTimeMs, count } = bars;
  const midnight = at(openTimeMs, count - 1) - (at(openTimeMs, count - 1) % DAY_MS);
  let first = count - 1;
  while (first > 0 && at(openTimeMs, first - 1) >= midnight) first--;
  return first === 0 && at(openTimeMs, 0) > midnight ? Number.NaN : vwap(bars, first);
}

function onBalanceVolume({ close, volume, count }: WindowCandles): number {
  let balance = 0;
  for (let i = 1; i < count; i++) balance += Math.sign(at(close, i) - at(close, i - 1)) * at(volume, i);
  return balance;
}

function keltner(
  bars: WindowCandles,
  { period, multiple, band }: Extract<CandleIndicatorConfig, { kind: 'keltner' }>,
): number {
  const width = band === 'middle' ? 0 : multiple * averageTrueRange(bars, period);
  return exponentialAverage(bars.close, period) + (band === 'lower' ? -width : width);
}

function ichimoku(bars: WindowCandles, config: Extract<CandleIndicatorConfig, { kind: 'ichimoku' }>): number {
  const middle = (length: number) => ranges(bars, length).middle;
  switch (config.band) {
    case 'conversion':
      return middle(config.conversion);
    case 'base':
      return middle(config.base);
    case 'spanA':
      return (middle(config.conversion) + middle(config.base)) / 2;
    case 'spanB':
      return middle(config.span);
  }
}

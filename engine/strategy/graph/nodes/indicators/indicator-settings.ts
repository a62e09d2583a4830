/** Kinds of indicators and their settings, each with its window and its initial value. */
import { z } from 'zod';
import { WINDOW_MAX } from '../../candles.ts';
import { sampleSec } from '../shared-settings.ts';

/** Decaying averages need ten periods until their initial value no longer matters. */
export const DECAY_PERIODS = 10;
const DECAYING_MAX = WINDOW_MAX / DECAY_PERIODS;

/** Describes for the manual how a kind starts and how far it looks back. */
type Course = { readonly seed?: string; readonly window: string };

const period = (max: number, description: string, min = 2) => z.int().min(min).max(max).meta({ description });
const candles = (max: number, min = 2) => period(max, 'Number of candles (or samples).', min);
const multiple = (description: string, usual: number) =>
  z.number().positive().max(100).default(usual).meta({ description });

function kind<const K extends string, S extends z.ZodRawShape>(
  name: K,
  description: string,
  settings: S,
  { seed, window }: Course,
) {
  return z
    .strictObject({ kind: z.literal(name).meta({ description }), ...settings })
    .meta({ 'x-window': window, 'x-seed': seed ?? 'None: every value of the window counts alike.' });
}

const LAST = { window: 'The last `period` values.' };
const ONE_MORE = { window: 'The last `period` + 1 values.' };
const DECAYING = '10 × `period` values; what came before them weighs less than 0.005 %.';
const WILDER = 'The plain average of the first `period` values, then Wilder’s smoothing.';

export const indicatorSettings = z
  .discriminatedUnion('kind', [
    kind('sma', 'Simple moving average.', { period: candles(WINDOW_MAX), sampleSec }, LAST),
    kind(
      'ema',
      'Exponential moving average, weight 2 ÷ (`period` + 1), over the last 10 × `period` values.',
      { period: candles(DECAYING_MAX), sampleSec },
      { window: DECAYING, seed: 'The first value of the window.' },
    ),
    kind(
      'rsi',
      'Relative strength index of Wilder, 0 to 100, over the last 10 × `period` values.',
      { period: candles(DECAYING_MAX), sampleSec },
      { window: DECAYING, seed: WILDER },
    ),
    kind(
      'atr',
      'Average true range of Wilder, over the last 10 × `period` candles; needs a candle node as input.',
      { period: candles(DECAYING_MAX), sampleSec },
      { window: DECAYING, seed: `${WILDER} The first range is high − low.` },
    ),
    kind(
      'zscore',
      'Distance from the mean in (population) standard deviations.',
      { period: candles(WINDOW_MAX), sampleSec },
      LAST,
    ),
    kind(
      'change',
      'Relative change against `period` candles ago: 0.05 is +5 %.',
      { period: candles(WINDOW_MAX - 1, 1), sampleSec },
      ONE_MORE,
    ),
    kind(
      'highest',
      'Highest of the last `period` values, the newest included.',
      { period: candles(WINDOW_MAX), sampleSec },
      LAST,
    ),
    kind(
      'lowest',
      'Lowest of the last `period` values, the newest included.',
      { period: candles(WINDOW_MAX), sampleSec },
      LAST,
    ),
    kind('sum', 'Sum of the last `period` values.', { period: candles(WINDOW_MAX), sampleSec }, LAST),
    kind('stddev', '(Population) standard deviation.', { period: candles(WINDOW_MAX), sampleSec }, LAST),
    kind(
      'slope',
      'Slope of the straight line of least squares, per candle.',
      { period: candles(WINDOW_MAX), sampleSec },
      LAST,
    ),
    kind(
      'percentRank',
      'Share of the `period` values before the newest that are not above it, 0 to 100.',
      { period: candles(WINDOW_MAX - 1, 1), sampleSec },
      ONE_MORE,
    ),
    kind(
      'volatility',
      'Realised volatility per candle, from logarithms of prices; 0.01 is 1 %. All but `close` need a candle node as input.',
      {
        estimator: z.enum(['close', 'parkinson', 'garmanKlass']).default('close').meta({
          description:
            'close: root mean square of the changes from value to value. parkinson: from high and low. garmanKlass: from open, high, low and close.',
        }),
        period: candles(WINDOW_MAX - 1),
        sampleSec,
      },
      { window: 'The last `period` candles; with `close` one value more.' },
    ),
    kind(
      'macd',
      'Difference of two exponential averages, and its own average.',
      {
        fast: period(DECAYING_MAX, 'Period of the fast average.').default(12),
        slow: period(DECAYING_MAX, 'Period of the slow average, longer than the fast one.').default(26),
        signal: period(DECAYING_MAX, 'Period of the signal line.').default(9),
        band: z
          .enum(['macd', 'signal', 'histogram'])
          .default('histogram')
          .meta({ description: 'Which line: the difference, its average, or the one minus the other.' }),
        sampleSec,
      },
      { window: '10 × the longer of `slow` and `signal`.', seed: 'The first value of each average.' },
    ),
    kind(
      'bollinger',
      'Average plus and minus a multiple of the deviation.',
      {
        period: candles(WINDOW_MAX).default(20),
        deviations: z
          .number()
          .positive()
          .max(10)
          .default(2)
          .meta({ description: 'Width in (population) standard deviations.' }),
        band: z.enum(['upper', 'middle', 'lower']).meta({ description: 'Which band.' }),
        sampleSec,
      },
      LAST,
    ),
    kind(
      'stochastic',
      'Where the close lies between the lowest low and the highest high, 0 to 100; needs a candle node as input.',
      {
        period: period(WINDOW_MAX - 200, 'Candles of the range.').default(14),
        smooth: period(100, 'Candles over which %K is averaged; 1 is the fast stochastic.', 1).default(3),
        signal: period(100, 'Values of %K over which %D is averaged.', 1).default(3),
        band: z.enum(['k', 'd']).default('k').meta({ description: 'Which line: %K, or its average %D.' }),
      },
      { window: '`period` + `smooth` + `signal` − 2 candles.' },
    ),
    kind(
      'adx',
      'Directional movement of Wilder, 0 to 100: its index, or one of the two directions; needs a candle node as input.',
      {
        period: candles(DECAYING_MAX).default(14),
        band: z
          .enum(['adx', 'plus', 'minus'])
          .default('adx')
          .meta({ description: 'Which line: ADX, +DI or −DI.' }),
      },
      { window: '10 × `period` candles.', seed: `${WILDER} Moves begin with the second candle.` },
    ),
    kind(
      'cci',
      'Commodity channel index: distance of (high + low + close) ÷ 3 from its average, in 0.015 mean deviations; needs a candle node as input.',
      { period: candles(WINDOW_MAX).default(20) },
      LAST,
    ),
    kind(
      'mfi',
      'Money flow index, 0 to 100; needs a candle node as input.',
      { period: candles(WINDOW_MAX - 1).default(14) },
      ONE_MORE,
    ),
    kind(
      'vwap',
      'Average of (high + low + close) ÷ 3, weighted by volume; needs a candle node as input.',
      {
        period: candles(WINDOW_MAX, 1),
        session: z.enum(['none', 'day']).default('none').meta({
          description:
            'none: the last `period` candles. day: of these the ones that opened on the day (UTC) of the newest; unknown once the day is longer than `period`.',
        }),
      },
      LAST,
    ),
    kind(
      'obv',
      'On-balance volume over the last `period` candles: volume counts up where the close rose and down where it fell; needs a candle node as input.',
      { period: candles(WINDOW_MAX - 1, 1) },
      { ...ONE_MORE, seed: '0 at the start of the window.' },
    ),
    kind(
      'donchian',
      'Highest high and lowest low, and the middle of both; needs a candle node as input.',
      {
        period: candles(WINDOW_MAX, 1).default(20),
        band: z.enum(['upper', 'middle', 'lower']).meta({ description: 'Which band.' }),
      },
      LAST,
    ),
    kind(
      'keltner',
      'Exponential average of the close plus and minus a multiple of the average true range; needs a candle node as input.',
      {
        period: candles(DECAYING_MAX).default(20),
        multiple: multiple('Width in average true ranges.', 2),
        band: z.enum(['upper', 'middle', 'lower']).meta({ description: 'Which band.' }),
      },
      { window: DECAYING, seed: `The first close. Of the range: ${WILDER}` },
    ),
    kind(
      'supertrend',
      'A stop that follows the trend at a multiple of the average true range and changes sides when the close passes it; needs a candle node as input.',
      {
        period: candles(DECAYING_MAX).default(10),
        multiple: multiple('Distance in average true ranges.', 3),
      },
      {
        window: '10 × `period` candles.',
        seed: 'A fall, from the first candle that has an average true range.',
      },
    ),
    kind(
      'psar',
      'Parabolic stop and reverse of Wilder; needs a candle node as input.',
      {
        step: z.number().positive().max(1).default(0.02).meta({ description: 'By how much it accelerates.' }),
        most: z
          .number()
          .positive()
          .max(1)
          .default(0.2)
          .meta({ description: 'Greatest acceleration, not below the step.' }),
      },
      {
        window: '200 candles.',
        seed: 'Up, unless the second candle moved further down than up; from the far end of the first.',
      },
    ),
    kind(
      'ichimoku',
      'Middle of the highest high and the lowest low over three lengths, without the shift into the future; needs a candle node as input.',
      {
        conversion: period(WINDOW_MAX, 'Candles of the conversion line.').default(9),
        base: period(WINDOW_MAX, 'Candles of the base line.').default(26),
        span: period(WINDOW_MAX, 'Candles of the leading span B.').default(52),
        band: z.enum(['conversion', 'base', 'spanA', 'spanB']).meta({
          description: 'Which line; `spanA` is the middle of conversion and base.',
        }),
      },
      { window: 'The longest of the three lengths.' },
    ),
    kind(
      'heikinAshi',
      'Close of the Heikin-Ashi candle, (open + high + low + close) ÷ 4; needs a candle node as input.',
      {},
      { window: 'The newest candle.' },
    ),
  ])
  .refine((config) => config.kind !== 'macd' || config.fast < config.slow, {
    path: ['fast'],
    error: 'The fast average must be shorter than the slow one.',
  })
  .refine((config) => config.kind !== 'psar' || config.step <= config.most, {
    path: ['most'],
    error: 'The greatest acceleration lies below the step. Raise “most” or lower “step”.',
  });

export type IndicatorConfig = z.output<typeof indicatorSettings>;

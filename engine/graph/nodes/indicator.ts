import { z } from 'zod';
import { WINDOW_MAX } from '../candles.ts';
import { CONSTANT, TICK } from '../clocks.ts';
import { candleIndicator } from './indicators/history.ts';
import { type Indicator, indicatorOf } from './indicators/indicators.ts';
import { sampledIndicator } from './indicators/sampling.ts';
import { defineNode, type InputView, input, type Objection, output } from './node.ts';

/** Averages that decay need ten periods before their start no longer shows. */
const DECAY_PERIODS = 10;
const DECAYING_MAX = WINDOW_MAX / DECAY_PERIODS;

const sampleSec = z.int().min(5).max(86_400).optional().meta({
  description:
    'Only for an input that moves with every quote: it is sampled every so many seconds, and the samples stand for candles. After a gap of over five samples and a minute it starts anew.',
});
const period = (max: number, description: string, min = 2) => z.int().min(min).max(max).meta({ description });

const over = <const K extends string>(kind: K, max: number, description: string, min = 2) =>
  z.strictObject({
    kind: z.literal(kind).meta({ description }),
    period: period(max, 'Number of candles (or samples).', min),
    sampleSec,
  });

const settings = z
  .discriminatedUnion('kind', [
    over('sma', WINDOW_MAX, 'Simple moving average.'),
    over(
      'ema',
      DECAYING_MAX,
      'Exponential moving average, weight 2 ÷ (period + 1), over the last 10 periods.',
    ),
    over('rsi', DECAYING_MAX, 'Relative strength index of Wilder, 0 to 100, over the last 10 periods.'),
    over(
      'atr',
      DECAYING_MAX,
      'Average true range of Wilder, over the last 10 periods; needs a candle node as input.',
    ),
    over('zscore', WINDOW_MAX, 'Distance from the mean in (population) standard deviations.'),
    over('change', WINDOW_MAX - 1, 'Relative change against `period` candles ago: 0.05 is +5 %.', 1),
    over('highest', WINDOW_MAX, 'Highest of the last `period` values, the newest included.'),
    over('lowest', WINDOW_MAX, 'Lowest of the last `period` values, the newest included.'),
    z.strictObject({
      kind: z
        .literal('macd')
        .meta({ description: 'Difference of two exponential averages, and its own average.' }),
      fast: period(DECAYING_MAX, 'Period of the fast average.').default(12),
      slow: period(DECAYING_MAX, 'Period of the slow average, longer than the fast one.').default(26),
      signal: period(DECAYING_MAX, 'Period of the signal line.').default(9),
      band: z
        .enum(['macd', 'signal', 'histogram'])
        .default('histogram')
        .meta({ description: 'Which line: the difference, its average, or the one minus the other.' }),
      sampleSec,
    }),
    z.strictObject({
      kind: z
        .literal('bollinger')
        .meta({ description: 'Average plus and minus a multiple of the deviation.' }),
      period: period(WINDOW_MAX, 'Number of candles (or samples).').default(20),
      deviations: z
        .number()
        .positive()
        .max(10)
        .default(2)
        .meta({ description: 'Width in (population) standard deviations.' }),
      band: z.enum(['upper', 'middle', 'lower']).meta({ description: 'Which band.' }),
      sampleSec,
    }),
  ])
  .refine((config) => config.kind !== 'macd' || config.fast < config.slow, {
    path: ['fast'],
    error: 'The fast average must be shorter than the slow one.',
  });

export const indicator = defineNode({
  type: 'indicator',
  group: 'transform',
  title: 'Indicator',
  help: 'A technical indicator over the last closed candles of its input, or over regular samples of an input that moves with every quote. Unknown until enough of them are there.',
  inputs: [input('in', 'number', 'What it is computed of: a candle, or a calculation on candles.')],
  outputs: [output('number', 'The indicator.')],
  config: settings,
  bind: (config) => {
    const kernel = indicatorOf(config);
    const every = config.sampleSec;
    return {
      isPure: every === undefined,
      window: every === undefined ? kernel.window : 1,
      samples: every === undefined ? 0 : kernel.window,
      object: (view) => object(view('in'), kernel, every),
      build: (wiring) =>
        every === undefined ? candleIndicator(kernel, wiring) : sampledIndicator(kernel, every, wiring),
    };
  },
});

function object(input: InputView | null, kernel: Indicator, every: number | undefined): Objection[] {
  if (input === null) return [];
  if (input.clock === CONSTANT)
    return [
      {
        code: 'constant_input',
        message: 'An indicator of a number that never changes says nothing. Connect a price or a candle.',
      },
    ];
  if (input.isForming)
    return [
      {
        code: 'forming_candle',
        message:
          'An indicator cannot use the candle that is still forming. Switch “closedOnly” on in the candle node.',
      },
    ];
  if (kernel.needsCandles && !input.isCandle)
    return [
      {
        code: 'needs_candle',
        message: `${kernel.name} needs whole candles. Connect a candle node straight to it.`,
      },
    ];
  if (input.clock === TICK && every === undefined)
    return [
      {
        code: 'needs_sampling',
        setting: 'sampleSec',
        message:
          'This input moves with every quote. Say in “sampleSec” how often to sample it (5 s or more), or use closed candles.',
      },
    ];
  if (input.clock !== TICK && every !== undefined)
    return [
      {
        code: 'needless_sampling',
        setting: 'sampleSec',
        message: 'This input moves once per closed candle and needs no “sampleSec”. Remove it.',
      },
    ];
  if (input.clock !== TICK && !input.isHistory)
    return [
      {
        code: 'not_historical',
        message:
          'An indicator needs the past of its input, and this one depends on the blueprint’s own memory. Compute it from candles directly.',
      },
    ];
  return [];
}

import { CONSTANT, TICK } from '../update-clock.ts';
import { type IndicatorConfig, indicatorSettings } from './indicators/indicator-settings.ts';
import { type Indicator, indicatorOf } from './indicators/indicators.ts';
import { GAP_OF_WINDOW, windowedNode } from './indicators/windowed-node.ts';
import {
  defineNode,
  type InputView,
  input,
  type NodeIssue,
  output,
  type RawSettings,
  type Words,
} from './node.ts';

export const indicator = defineNode({
  type: 'indicator',
  group: 'transform',
  title: 'Indicator',
  help: 'A technical indicator over the last closed candles of its input, or over regular samples of an input that moves with every quote. Unknown until enough of them are there.',
  phrase: calculation,
  laws: {
    unknown:
      'Until its window is full; while its input is unknown, or was in that window; where the result is not finite.',
    gap: GAP_OF_WINDOW,
  },
  inputs: [input('in', 'number', 'What it is computed of: a candle, or a calculation on candles.')],
  outputs: [output('number', 'The indicator.')],
  config: indicatorSettings,
  bind: (config) => {
    const kernel = indicatorOf(config);
    const { objectTo, over, ...past } = windowedNode(kernel, sampleSecOf(config), 'An indicator');
    return {
      ...past,
      object: (view) => object(view('in'), kernel, objectTo),
      build: over,
    };
  },
});

/** Whole candles cannot be sampled. */
const sampleSecOf = (config: IndicatorConfig): number | undefined =>
  'sampleSec' in config ? config.sampleSec : undefined;

function object(
  input: InputView | null,
  kernel: Indicator,
  objectTo: (input: InputView | null) => readonly NodeIssue[],
): readonly NodeIssue[] {
  if (input === null) return [];
  const { clock, isForming, isCandle, isHistory } = input;
  if (kernel.needsCandles && !isCandle && clock !== CONSTANT && !isForming)
    return [
      {
        code: 'needs_candle',
        message: `${kernel.name} needs whole candles. Connect a candle node straight to it.`,
      },
    ];
  const objections = objectTo(input);
  if (objections.length > 0 || clock === TICK || isHistory) return objections;
  return [
    {
      code: 'not_historical',
      message:
        'An indicator needs the past of its input, and this one depends on the blueprint’s own memory. Compute it from candles directly.',
    },
  ];
}

const ABBREVIATED = ['sma', 'ema', 'rsi', 'atr', 'macd', 'cci', 'mfi', 'adx', 'obv', 'vwap'];
const NAMES: Readonly<Record<string, string>> = {
  psar: 'parabolic SAR',
  zscore: 'z-score',
  percentRank: 'percent rank',
  heikinAshi: 'Heikin-Ashi close',
};
const nameOf = (kind: string) => (ABBREVIATED.includes(kind) ? kind.toUpperCase() : (NAMES[kind] ?? kind));

function calculation(config: RawSettings, { one, text, sampled }: Words): string {
  const { kind: chosen, band, session, estimator, sampleSec, ...lengths } = config;
  const kind = text(chosen);
  const variant = [session === 'day' ? 'daily' : '', estimator === 'close' ? '' : text(estimator)];
  const numbers = Object.values(lengths).map(text).filter(Boolean).join('/');
  const words = [band === kind ? '' : text(band), ...variant, nameOf(kind), numbers];
  return `${words.filter(Boolean).join(' ')} of ${one('in')}${sampled(sampleSec)}`;
}

/** Kinds of indicators against plain loops over the same window, on recorded bars, through the whole engine. */
import { describe, expect, test } from 'vitest';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import type { IndicatorConfig } from '../../../../engine/strategy/graph/nodes/indicators/indicator-settings.ts';
import { indicatorOf } from '../../../../engine/strategy/graph/nodes/indicators/indicators.ts';
import { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type { Candle, Memory, Value } from '../../../../engine/strategy/graph/types.ts';
import { recordedBars } from './bars.ts';
import {
  adx,
  cci,
  channel,
  keltner,
  mfi,
  middleOf,
  obv,
  psar,
  stochastic,
  supertrend,
  volatility,
  vwap,
} from './candle-reference.ts';
import { draw, errorsOf, type NodeConfig, planOf, series, world } from './graph-fixtures.ts';
import { deviation, mean } from './reference.ts';

type Bars = readonly Candle[];
type Case = readonly [config: IndicatorConfig, window: number, reference: (bars: Bars) => number];

const BARS = recordedBars();
const DAY_MS = 86_400_000;
const closes = (bars: Bars) => bars.map(({ close }) => close);
const last = (bars: Bars) => bars.at(-1) as Candle;
const slope = (values: readonly number[]) => {
  const x = mean(values.map((_, i) => i));
  const y = mean(values);
  const product = mean(values.map((value, i) => i * value)) - x * y;
  return product / (mean(values.map((_, i) => i * i)) - x * x);
};
const today = (bars: Bars) =>
  bars.filter(
    ({ openTimeMs }) => Math.floor(openTimeMs / DAY_MS) === Math.floor(last(bars).openTimeMs / DAY_MS),
  );

const CASES: readonly Case[] = [
  [{ kind: 'sum', period: 7 }, 7, (bars) => 7 * mean(closes(bars))],
  [{ kind: 'stddev', period: 20 }, 20, (bars) => deviation(closes(bars))],
  [{ kind: 'slope', period: 15 }, 15, (bars) => slope(closes(bars))],
  [
    { kind: 'percentRank', period: 30 },
    31,
    (bars) => (100 * bars.slice(0, -1).filter(({ close }) => close <= last(bars).close).length) / 30,
  ],
  [{ kind: 'volatility', estimator: 'close', period: 20 }, 21, volatility.close],
  [{ kind: 'volatility', estimator: 'parkinson', period: 20 }, 20, volatility.parkinson],
  [{ kind: 'volatility', estimator: 'garmanKlass', period: 20 }, 20, volatility.garmanKlass],
  [
    { kind: 'stochastic', period: 14, smooth: 3, signal: 5, band: 'k' },
    20,
    (bars) => stochastic(bars, 14, 3, 5).k,
  ],
  [
    { kind: 'stochastic', period: 14, smooth: 3, signal: 5, band: 'd' },
    20,
    (bars) => stochastic(bars, 14, 3, 5).d,
  ],
  [{ kind: 'adx', period: 5, band: 'adx' }, 50, (bars) => adx(bars, 5).adx],
  [{ kind: 'adx', period: 5, band: 'plus' }, 50, (bars) => adx(bars, 5).plus],
  [{ kind: 'adx', period: 5, band: 'minus' }, 50, (bars) => adx(bars, 5).minus],
  [{ kind: 'cci', period: 20 }, 20, cci],
  [{ kind: 'mfi', period: 14 }, 15, mfi],
  [{ kind: 'vwap', period: 20, session: 'none' }, 20, vwap],
  [{ kind: 'vwap', period: 288, session: 'day' }, 288, (bars) => vwap(today(bars))],
  [{ kind: 'obv', period: 20 }, 21, obv],
  [{ kind: 'donchian', period: 20, band: 'upper' }, 20, channel.highest],
  [{ kind: 'donchian', period: 20, band: 'middle' }, 20, middleOf],
  [{ kind: 'donchian', period: 20, band: 'lower' }, 20, channel.lowest],
  [{ kind: 'keltner', period: 5, multiple: 2, band: 'upper' }, 50, (bars) => keltner(bars, 5, 2).upper],
  [{ kind: 'keltner', period: 5, multiple: 2, band: 'middle' }, 50, (bars) => keltner(bars, 5, 2).middle],
  [{ kind: 'keltner', period: 5, multiple: 2, band: 'lower' }, 50, (bars) => keltner(bars, 5, 2).lower],
  [{ kind: 'supertrend', period: 5, multiple: 1.5 }, 50, (bars) => supertrend(bars, 5, 1.5)],
  [{ kind: 'psar', step: 0.02, most: 0.2 }, 200, (bars) => psar(bars, 0.02, 0.2)],
  ...(['conversion', 'base', 'spanA', 'spanB'] as const).map((band): Case => {
    const lines = {
      conversion: (bars: Bars) => middleOf(bars.slice(-9)),
      base: (bars: Bars) => middleOf(bars.slice(-26)),
      spanA: (bars: Bars) => (middleOf(bars.slice(-9)) + middleOf(bars.slice(-26))) / 2,
      spanB: middleOf,
    };
    return [{ kind: 'ichimoku', conversion: 9, base: 26, span: 52, band }, 52, lines[band]];
  }),
  [
    { kind: 'heikinAshi' },
    1,
    (bars) => (last(bars).open + last(bars).high + last(bars).low + last(bars).close) / 4,
  ],
];

const CLOSE: NodeConfig = ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }];
const known = (value: Value) => (typeof value === 'object' ? null : value);
const nameOf = ([config]: Case) => JSON.stringify(config);

/** Values of all cases at each bar. */
function valuesOf(bars: Bars): (number | null)[][] {
  const nodes = Object.fromEntries(CASES.map(([config], i) => [`n${i}`, ['indicator', config] as const]));
  const stepper = new PlanEvaluator(
    planOf(
      draw(
        { close: CLOSE, ...nodes },
        CASES.map((_, i) => `close -> n${i}`),
      ),
    ),
  );
  const all = ClosedCandles.of(bars);
  let memory: Memory | null = null;
  return bars.map(({ closeTimeMs }, index) => {
    const candles = new Map([['BTCUSDT@5m', series(all.slice(0, index + 1))]]);
    const step = stepper.step(world({ candles }), memory, closeTimeMs + 1);
    memory = step.memory;
    return CASES.map((_, i) => step.nodeStates[`n${i}`]?.value as number | null);
  });
}

describe('kinds of indicators', () => {
  const values = valuesOf(BARS);

  test.each(CASES.map((each, i) => [nameOf(each), each, i] as const))(
    '%s is unknown until its window is full, then equals a plain loop over the window',
    (_, [config, window, reference], i) => {
      expect(indicatorOf(config).window).toBe(window);
      const said = values.map((at) => at[i] ?? null);
      expect(said.slice(0, window - 1).filter((value) => value !== null)).toEqual([]);
      for (let end = window; end <= BARS.length; end += 3) {
        const expected = reference(BARS.slice(end - window, end));
        const off = Math.abs((said[end - 1] as number) - expected);
        expect(off, `bar ${end}`).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
      }
    },
  );

  test('at a candle they do not depend on later candles', () => {
    const poison = BARS.slice(300).map((bar) => ({ ...bar, high: 1e9, low: 1, close: 7, volume: 1e6 }));
    expect(valuesOf([...BARS.slice(0, 300), ...poison]).slice(0, 300)).toEqual(values.slice(0, 300));
  });

  test('without movement or volume a result of 0 ÷ 0 is unknown, and a deviation is 0', () => {
    const flat = BARS.slice(0, 30).map((bar) => ({ ...bar, open: 9, high: 9, low: 9, close: 9, volume: 0 }));
    const all = ClosedCandles.of(flat);
    const of = (config: IndicatorConfig) => {
      const kind = indicatorOf(config);
      return known(kind.needsCandles ? kind.ofCandles(all, 0, 30) : kind.ofNumbers(closes(flat)));
    };
    const unknown: IndicatorConfig[] = [
      { kind: 'stochastic', period: 26, smooth: 3, signal: 3, band: 'd' },
      { kind: 'cci', period: 30 },
      { kind: 'mfi', period: 29 },
      { kind: 'vwap', period: 30, session: 'none' },
    ];
    expect(unknown.map(of)).toEqual([null, null, null, null]);
    expect(of({ kind: 'stddev', period: 30 })).toBe(0);
    expect(of({ kind: 'adx', period: 3, band: 'adx' })).toBeNull();
  });

  test('the day of a vwap that began before its window is unknown', () => {
    const all = ClosedCandles.of(BARS.slice(0, 100));
    const kind = indicatorOf({ kind: 'vwap', period: 10, session: 'day' });
    const starts = BARS.findIndex(({ openTimeMs }) => openTimeMs % DAY_MS === 0);
    expect(known(kind.ofCandles(all, starts, starts + 10))).not.toBeNull();
    expect(known(kind.ofCandles(all, starts + 1, starts + 11))).toBeNull();
  });

  test('a price that moves with every quote has no whole candles', () => {
    const drawing = draw(
      { price: ['crypto.price', { symbol: 'BTCUSDT' }], node: ['indicator', { kind: 'cci' }] },
      ['price -> node'],
    );
    expect(errorsOf(drawing).map(({ code }) => code)).toEqual(['needs_candle']);
  });
});

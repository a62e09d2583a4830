/** Indicators against a library of indicators, which is only a reference: on the same window each digit is equal. */
import fc from 'fast-check';
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
import { expect, test } from 'vitest';
import { ClosedCandles } from '../../../../engine/strategy/graph/candles.ts';
import type { IndicatorConfig } from '../../../../engine/strategy/graph/nodes/indicators/indicator-settings.ts';
import { indicatorOf } from '../../../../engine/strategy/graph/nodes/indicators/indicators.ts';
import { isFlat } from '../../../../engine/strategy/graph/nodes/indicators/window-arithmetic.ts';
import type { Candle } from '../../../../engine/strategy/graph/types.ts';
import { finite } from '../../../../engine/strategy/graph/values.ts';

type Reference = readonly [config: IndicatorConfig, of: (bars: readonly Candle[]) => number];

const closes = (bars: readonly Candle[]) => bars.map(({ close }) => close);
/** The result after the last input; NaN if it has none. */
function last<Input, Result>(
  series: { add(input: Input): unknown; getResultOrThrow(): Result },
  inputs: readonly Input[],
): Result {
  for (const input of inputs) series.add(input);
  return series.getResultOrThrow();
}
const macd = (fast: number, slow: number, signal: number) =>
  new MACD(new EMA(fast), new EMA(slow), new EMA(signal));
const unlessFlat = (values: readonly number[], of: () => number) => (isFlat(values) ? Number.NaN : of());

const REFERENCES: readonly Reference[] = [
  [{ kind: 'ema', period: 3 }, (bars) => last(new EMA(3), closes(bars))],
  [{ kind: 'rsi', period: 2 }, (bars) => unlessFlat(closes(bars), () => last(new RSI(2), closes(bars)))],
  [{ kind: 'rsi', period: 5 }, (bars) => unlessFlat(closes(bars), () => last(new RSI(5), closes(bars)))],
  [{ kind: 'atr', period: 3 }, (bars) => last(new ATR(3), bars)],
  [{ kind: 'change', period: 4 }, (bars) => last(new ROC(4), closes(bars))],
  [{ kind: 'highest', period: 6 }, (bars) => last(new Period(6), closes(bars)).highest],
  [{ kind: 'lowest', period: 6 }, (bars) => last(new Period(6), closes(bars)).lowest],
  [{ kind: 'stddev', period: 7 }, (bars) => getStandardDeviation(closes(bars))],
  [
    { kind: 'zscore', period: 7 },
    (bars) =>
      unlessFlat(closes(bars), () => {
        const values = closes(bars);
        return ((values.at(-1) as number) - getAverage(values)) / getStandardDeviation(values);
      }),
  ],
  ...(['upper', 'middle', 'lower'] as const).map(
    (band): Reference => [
      { kind: 'bollinger', period: 5, deviations: 2.5, band },
      (bars) => last(new BollingerBands(5, 2.5), closes(bars))[band],
    ],
  ),
  ...(['macd', 'signal', 'histogram'] as const).flatMap((band): Reference[] => [
    [{ kind: 'macd', fast: 2, slow: 4, signal: 3, band }, (bars) => last(macd(2, 4, 3), closes(bars))[band]],
    [{ kind: 'macd', fast: 2, slow: 3, signal: 5, band }, (bars) => last(macd(2, 3, 5), closes(bars))[band]],
  ]),
  ...(['upper', 'middle', 'lower'] as const).map(
    (band): Reference => [
      { kind: 'keltner', period: 3, multiple: 1.5, band },
      (bars) => {
        const width = band === 'middle' ? 0 : 1.5 * last(new ATR(3), bars);
        return last(new EMA(3), closes(bars)) + (band === 'lower' ? -width : width);
      },
    ],
  ),
];

/** Prices of any size, many of them equal. */
const price = fc.oneof(
  fc.constantFrom(1, 1.1, 100.25),
  fc.double({ min: 1e-6, max: 1e6, noNaN: true, noDefaultInfinity: true }),
);

test.each(REFERENCES)('%o is equal to the last digit', (config, reference) => {
  const indicator = indicatorOf(config);
  const candle = fc.tuple(price, price, price).map(([one, other, close]): Candle => {
    const [low, , high] = [one, close, other].sort((a, b) => a - b) as [number, number, number];
    return { openTimeMs: 0, closeTimeMs: 0, open: close, high, low, close, volume: 1 };
  });
  const { window } = indicator;
  fc.assert(
    fc.property(fc.array(candle, { minLength: window, maxLength: window }), (bars) => {
      const value = indicator.needsCandles
        ? indicator.ofCandles(ClosedCandles.of(bars), 0, window)
        : indicator.ofNumbers(Float64Array.from(closes(bars)));
      expect(value).toEqual(finite(reference(bars)));
    }),
    { numRuns: 300 },
  );
});

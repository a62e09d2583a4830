import { z } from 'zod';
import { type ClosedCandles, WINDOW_MAX } from '../../candles.ts';
import type { Run } from '../../run/run.ts';
import type { Unknown, Value } from '../../types.ts';
import { finite, isUnknown, numeric, unknown } from '../../values.ts';
import {
  type Behavior,
  defineNode,
  type InputView,
  input,
  type NodeIssue,
  output,
  type Wiring,
} from '../node.ts';
import { inputWindow, pairOf, valuesOf, warmingUp } from './candle-indicator.ts';
import { isFlat, sumOf } from './window-arithmetic.ts';

const OUT_OF_STEP = unknown('no_data', 'The candles of both inputs did not all close at the same instants.');

export const correlation = defineNode({
  type: 'correlation',
  group: 'transform',
  title: 'Correlation',
  help: 'How closely the last `period` values of two inputs follow a straight line: 1 rising, −1 falling, 0 not at all (Pearson). The inputs may be candles of two instruments with one interval. Prices that only drift seem correlated: connect changes of prices instead.',
  phrase: ({ period }, { one, text }) => `the correlation ${text(period)} of ${one('a')} and ${one('b')}`,
  laws: {
    unknown:
      'Until the window of each input is full; while an input is unknown, or was in that window; while one of them does not move.',
    gap: 'Both windows must have closed at the same instants: a candle that only one venue left out makes it unknown for `period` candles; one that both left out is bridged.',
  },
  inputs: [
    input('a', 'number', 'The one series: a candle, or a calculation on candles.'),
    input('b', 'number', 'The other series.'),
  ],
  outputs: [output('number', 'The correlation, −1 to 1.')],
  config: z
    .strictObject({ period: z.int().min(2).max(WINDOW_MAX).meta({ description: 'Number of candles.' }) })
    .meta({
      'x-window': 'The last `period` values of each input.',
      'x-seed': 'None: every value of the window counts alike.',
    }),
  bind: ({ period }) => ({
    isPure: true,
    window: period,
    object: (view) => objectTo(view('a'), view('b')),
    build: (wiring) => behavior(period, wiring),
  }),
});

function objectTo(...inputs: readonly (InputView | null)[]): NodeIssue[] {
  const views = inputs.filter((view) => view !== null);
  if (views.some(({ isHistory, isForming }) => !isHistory || isForming))
    return [
      {
        code: 'needs_candles',
        message:
          'A correlation compares closed candles. Connect candle nodes with “closedOnly” on, or calculations on them.',
      },
    ];
  if (new Set(views.map(({ interval }) => interval)).size > 1)
    return [
      {
        code: 'different_intervals',
        message:
          'A correlation compares candles of one interval, and these have two. Choose the same interval in both candle nodes.',
      },
    ];
  return [];
}

/** The newest stepped candle of an input's series. */
type Newest = { readonly candles: ClosedCandles; readonly index: number };

function behavior(period: number, wiring: Wiring): Behavior {
  const a = seriesInput('a', period, wiring);
  const b = seriesInput('b', period, wiring);
  const key = `correlation(${period},${a.key},${b.key})`;
  return {
    compute(run) {
      const [valueA, valueB] = [run.values[a.slot] as Value, run.values[b.slot] as Value];
      if (isUnknown(valueA)) return valueA;
      if (isUnknown(valueB)) return valueB;
      const [newestA, newestB] = [a.newestIn(run), b.newestIn(run)];
      const have = Math.min(newestA.index, newestB.index) + 1;
      if (have < period) return warmingUp({ name: 'Correlation', window: period }, have);
      const values = valuesOf(pairOf(newestA.candles, newestB.candles), key);
      const known = values.get(newestA.index);
      if (known !== undefined) return known;
      const value = areInStep(newestA, newestB, period)
        ? pearson(a.window(run, newestA), b.window(run, newestB))
        : OUT_OF_STEP;
      values.set(newestA.index, value);
      return value;
    },
  };
}

function seriesInput(port: string, period: number, wiring: Wiring) {
  const history = wiring.history(port);
  if (history === null) throw new Error('A correlation was built without a past.');
  const { clock, key } = history;
  const windowAt = inputWindow(history, period);
  return {
    slot: wiring.input(port),
    key,
    newestIn: ({ cursors }: Run): Newest => ({
      candles: cursors.candles[clock] as ClosedCandles,
      index: cursors.index[clock] as number,
    }),
    window: (run: Run, { candles, index }: Newest) => windowAt(run, candles, index),
  };
}

function areInStep(a: Newest, b: Newest, period: number): boolean {
  for (let back = 0; back < period; back++)
    if (a.candles.closedAt(a.index - back) !== b.candles.closedAt(b.index - back)) return false;
  return true;
}

function pearson(a: Float64Array | Unknown, b: Float64Array | Unknown): number | Unknown {
  if ('unknown' in a) return a;
  if ('unknown' in b) return b;
  const [meanA, meanB] = [sumOf(a) / a.length, sumOf(b) / b.length];
  let [product, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [offA, offB] = [(a[i] as number) - meanA, (b[i] as number) - meanB];
    product += offA * offB;
    squareA += offA ** 2;
    squareB += offB ** 2;
  }
  const result = isFlat(a) || isFlat(b) ? Number.NaN : product / Math.sqrt(squareA * squareB);
  // Rounding may leave the bounds by a last digit.
  return numeric(finite(Math.max(-1, Math.min(1, result))));
}

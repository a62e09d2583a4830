/**
 * Indicators on closed candles, computed over the past of their input. Equal calculations on one series run once per process,
 * however many blueprints use them.
 */
import { type ClosedCandles, WINDOW_MAX } from '../../candles.ts';
import type { Computation, Run } from '../../run/run.ts';
import type { Unknown, Value } from '../../types.ts';
import { numeric, unknown } from '../../values.ts';
import type { Behavior, History, Wiring } from '../node.ts';
import { IndicatorCache } from './indicator-cache.ts';
import type { Indicator } from './indicators.ts';

/** As many values as a deployment steps at once after a pause. */
const VALUES_RETAINED = 512;

/** By series, then calculation. A value depends on its candle and earlier ones only, so all views of a series share it. */
const computed = new WeakMap<object, Map<string, IndicatorCache>>();

/** Stands for two series in `computed`. */
const pairs = new WeakMap<object, WeakMap<object, object>>();

export function candleIndicator(indicator: Indicator, wiring: Wiring): Behavior {
  const { clock } = wiring;
  const history = wiring.history('in');
  if (history === null) throw new Error('An indicator on candles was built without a past.');
  const key = `${indicator.key}(${history.key})`;
  const compute = windowed(indicator, history);
  return {
    compute(run) {
      const candles = run.cursors.candles[clock] as ClosedCandles;
      const index = run.cursors.index[clock] as number;
      if (index + 1 < indicator.window) return warmingUp(indicator, index + 1);
      const values = valuesOf(candles, key);
      const known = values.get(index);
      if (known !== undefined) return known;
      const value = compute(run, candles, index) as number | Unknown;
      values.set(index, value);
      return value;
    },
  };
}

type Retained = Pick<ClosedCandles, 'series' | 'isRepeated'>;

/** Returns the values of a calculation on a series computed so far. */
export function valuesOf(
  { series, isRepeated }: Retained,
  key: string,
  retainedMax = VALUES_RETAINED,
): IndicatorCache {
  let ofSeries = computed.get(series);
  if (ofSeries === undefined) {
    ofSeries = new Map();
    computed.set(series, ofSeries);
  }
  let values = ofSeries.get(key);
  if (values === undefined) {
    values = new IndicatorCache(isRepeated ? Number.POSITIVE_INFINITY : retainedMax);
    ofSeries.set(key, values);
  }
  return values;
}

/** Returns two series as one, for values of both by the index of the first one's candle. */
export function pairOf(a: ClosedCandles, b: ClosedCandles): Retained {
  const withA = pairs.get(a.series) ?? new WeakMap<object, object>();
  pairs.set(a.series, withA);
  const series = withA.get(b.series) ?? {};
  withA.set(b.series, series);
  return { series, isRepeated: a.isRepeated && b.isRepeated };
}

type OfWindow<V> = (run: Run, candles: ClosedCandles, index: number) => V;

function windowed(indicator: Indicator, history: History): OfWindow<Value> {
  const { window: length } = indicator;
  if (indicator.needsCandles)
    return (_run, candles, index) => indicator.ofCandles(candles, index + 1 - length, index + 1);
  const windowAt = inputWindow(history, length);
  return (run, candles, index) => {
    const window = windowAt(run, candles, index);
    return 'unknown' in window ? window : indicator.ofNumbers(window);
  };
}

/** Reads the last `length` numbers of an input at a candle, or the first unknown one. */
export function inputWindow(history: History, length: number): OfWindow<Float64Array | Unknown> {
  const { field } = history;
  if (field !== null) return (_run, candles, index) => candles.window(field, index + 1 - length, index + 1);
  return (run, candles, index) => {
    const start = index + 1 - length;
    const inputs = valuesOf(candles, history.key, WINDOW_MAX);
    fill(run, inputs, history, start);
    return inputs.window(start, index + 1);
  };
}

/**
 * Fills the input at every candle from `start` to the current one. Unknown values are computed with the clock set back. Then
 * all slots are restored.
 */
function fill(run: Run, inputs: IndicatorCache, { computations, clock }: History, start: number): void {
  const { slot } = computations.at(-1) as Computation;
  const index = run.cursors.index[clock] as number;
  const computeAt = (at: number) => {
    run.cursors.index[clock] = at;
    for (const one of computations) run.values[one.slot] = one.compute(run);
  };
  let isSetBack = false;
  try {
    for (let at = start; at < index; at++) {
      if (inputs.get(at) !== undefined) continue;
      isSetBack = true;
      computeAt(at);
      inputs.set(at, numeric(run.values[slot] as Value));
    }
  } finally {
    if (isSetBack) computeAt(index);
  }
  inputs.set(index, numeric(run.values[slot] as Value));
}

export function warmingUp(indicator: Pick<Indicator, 'name' | 'window'>, have: number): Unknown {
  return unknown('warming_up', `${indicator.name} needs ${indicator.window} values and has ${have} so far.`);
}

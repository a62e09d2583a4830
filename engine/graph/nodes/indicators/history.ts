/**
 * Indicators on closed candles: computed over the past of their input, once per process for equal
 * calculations on equal candles, however many blueprints ask.
 */

import type { Run } from '../../run/run.ts';
import type { Candle, Value } from '../../types.ts';
import { isUnknown, unknown } from '../../values.ts';
import type { Behaviour, History, Wiring } from '../node.ts';
import type { Indicator } from './indicators.ts';

/** By calculation, then place of the candle. */
type Values = Map<string, Map<number, Value>>;

/** `before`: of the array that this one continues. What is asked for again is taken over, the rest is forgotten. */
type Known = {
  readonly values: Values;
  readonly before: Values | null;
};

/** By array of candles. Values live as long as the candles. */
const computed = new WeakMap<readonly Candle[], Known>();
/** By candle: the array that ends with it and is not continued yet. */
const endingWith = new WeakMap<Candle, readonly Candle[]>();

export function candleIndicator(indicator: Indicator, wiring: Wiring): Behaviour {
  const { clock } = wiring;
  const history = wiring.history('in');
  if (history === null) throw new Error('An indicator on candles was built without a past.');
  const slot = wiring.input('in');
  const key = `${indicator.key}(${history.key})`;
  const compute = windowed(indicator, history, slot, clock);
  return {
    compute(run) {
      const candles = run.candles[clock] as readonly Candle[];
      const index = run.index[clock] as number;
      const known = knownOf(candles);
      const values = valuesOf(known, key);
      let value = values.get(index);
      if (value === undefined) {
        value = known.before?.get(key)?.get(index) ?? compute(run, candles, index);
        values.set(index, value);
      }
      return value;
    },
  };
}

function knownOf(candles: readonly Candle[]): Known {
  let known = computed.get(candles);
  if (known === undefined) {
    known = { values: new Map(), before: valuesBefore(candles) };
    computed.set(candles, known);
    const newest = candles.at(-1);
    if (newest !== undefined) endingWith.set(newest, candles);
  }
  return known;
}

/**
 * A series grows by a candle into a new array. A value depends on its candle and those before it only, so at the same
 * place of an array that starts with the very same candles it is the same, and a new candle costs one more of each.
 */
function valuesBefore(candles: readonly Candle[]): Values | null {
  for (let i = candles.length - 2; i >= 0; i--) {
    const newest = candles[i] as Candle;
    const shorter = endingWith.get(newest);
    if (shorter === undefined) continue;
    endingWith.delete(newest);
    const isStart = shorter.every((candle, place) => candle === candles[place]);
    return isStart ? (computed.get(shorter)?.values ?? null) : null;
  }
  return null;
}

function valuesOf({ values: byKey }: Known, key: string): Map<number, Value> {
  let values = byKey.get(key);
  if (values === undefined) {
    values = new Map();
    byKey.set(key, values);
  }
  return values;
}

function windowed(indicator: Indicator, history: History, slot: number, clock: number) {
  return (run: Run, candles: readonly Candle[], index: number): Value => {
    const start = index - indicator.window + 1;
    if (start < 0) return warmingUp(indicator, index + 1);
    if (indicator.needsCandles) return indicator.ofCandles(candles.slice(start, index + 1));
    const window = past(run, history, slot, clock, start);
    return Array.isArray(window) ? indicator.ofNumbers(window) : window;
  };
}

/**
 * The input at every candle from `start` to the current one: its steps are computed again with the clock
 * set back. The current candle comes last, so that all slots end as they were.
 */
function past(run: Run, { steps }: History, slot: number, clock: number, start: number): number[] | Value {
  const index = run.index[clock] as number;
  const window: number[] = [];
  try {
    for (let i = start; i <= index; i++) {
      run.index[clock] = i;
      for (const step of steps) run.values[step.slot] = step.compute(run);
      const value = run.values[slot] as Value;
      if (typeof value === 'number') window.push(value);
      else if (isUnknown(value)) return value;
    }
    return window;
  } finally {
    run.index[clock] = index;
    for (const step of steps) run.values[step.slot] = step.compute(run);
  }
}

export function warmingUp(indicator: Indicator, have: number): Value {
  return unknown('warming_up', `${indicator.name} needs ${indicator.window} values and has ${have} so far.`);
}

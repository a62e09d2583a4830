/**
 * Indicators on closed candles: computed over the past of their input, once per process for equal
 * calculations on equal candles, however many blueprints ask.
 */
import type { Indicator } from './indicators.ts';
import type { Behaviour, History, Wiring } from './node.ts';
import type { Run } from './run.ts';
import type { Candle, Value } from './types.ts';
import { isUnknown, unknown } from './values.ts';

/** By array of candles, then calculation, then place of the candle. Values live as long as the candles. */
const computed = new WeakMap<readonly Candle[], Map<string, Map<number, Value>>>();

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
      const known = valuesOf(candles, key);
      let value = known.get(index);
      if (value === undefined) {
        value = compute(run, candles, index);
        known.set(index, value);
      }
      return value;
    },
  };
}

function valuesOf(candles: readonly Candle[], key: string): Map<number, Value> {
  let byKey = computed.get(candles);
  if (byKey === undefined) {
    byKey = new Map();
    computed.set(candles, byKey);
  }
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

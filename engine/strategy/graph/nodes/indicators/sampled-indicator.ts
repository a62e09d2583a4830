/** Indicators on values that change with every quote: sampled on a grid of time, with the samples in memory. */

import type { Value } from '../../types.ts';
import { numeric } from '../../values.ts';
import type { Behavior, Wiring } from '../node.ts';
import { warmingUp } from './candle-indicator.ts';
import type { Indicator } from './indicators.ts';

/** Samples more than this number of grid slots and a minute apart do not share a window. */
const GAP_SLOTS_MAX = 5;
const GAP_MS_MAX = 60_000;

type Samples = { grid: number; samples: readonly number[] };

/** Values by array of samples: between samples nothing is computed again. */
const computed = new WeakMap<readonly number[], Map<string, Value>>();

export function sampledIndicator(indicator: Indicator, everySec: number, wiring: Wiring): Behavior {
  const { slot } = wiring;
  const input = wiring.input('in');
  const everyMs = everySec * 1000;
  const gapMax = Math.max(GAP_SLOTS_MAX, GAP_MS_MAX / everyMs);
  return {
    compute(run) {
      let memory = run.recall<Samples>(slot);
      const value = numeric(run.values[input] as Value);
      const grid = Math.floor(run.at / everyMs);
      if (typeof value === 'number' && grid > (memory?.grid ?? -1)) {
        const retained = memory !== undefined && grid - memory.grid <= gapMax ? memory.samples : [];
        memory = { grid, samples: [...retained, value].slice(-indicator.window) };
        run.remember(slot, memory);
      }
      if (typeof value !== 'number') return value;
      return memory === undefined ? warmingUp(indicator, 0) : indicatorOfSamples(indicator, memory.samples);
    },
  };
}

export function indicatorOfSamples(indicator: Indicator, samples: readonly number[]): Value {
  if (samples.length < indicator.window) return warmingUp(indicator, samples.length);
  let known = computed.get(samples);
  if (known === undefined) {
    known = new Map();
    computed.set(samples, known);
  }
  let value = known.get(indicator.key);
  if (value === undefined) {
    value = indicator.ofNumbers(samples);
    known.set(indicator.key, value);
  }
  return value;
}

/** Calculations over stored values: the input changes with candles, and only the blueprint's memory holds its past. */
import type { Value } from '../../types.ts';
import { numeric } from '../../values.ts';
import type { Behavior, Wiring } from '../node.ts';
import type { Indicator } from './indicators.ts';
import { indicatorOfSamples } from './sampled-indicator.ts';

type StoredSamples = { samples: readonly number[] };

const NONE: readonly number[] = [];

/** Stores one value a step. An unknown one interrupts the series: earlier values leave the window. */
export function indicatorOnSteps(indicator: Indicator, wiring: Wiring): Behavior {
  const { slot, clock } = wiring;
  const input = wiring.input('in');
  return {
    compute(run) {
      const value = numeric(run.values[input] as Value);
      const stored = run.recall<StoredSamples>(slot)?.samples ?? NONE;
      if (!run.isStep(clock))
        return typeof value === 'number' ? indicatorOfSamples(indicator, stored) : value;
      const samples = typeof value === 'number' ? [...stored, value].slice(-indicator.window) : NONE;
      if (samples.length > 0 || stored.length > 0) run.remember(slot, { samples });
      return typeof value === 'number' ? indicatorOfSamples(indicator, samples) : value;
    },
  };
}

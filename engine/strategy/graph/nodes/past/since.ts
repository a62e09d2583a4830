import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { Value } from '../../types.ts';
import { TICK } from '../../update-clock.ts';
import { isUnknown, unknown } from '../../values.ts';
import { type Behavior, defineNode, input, output, type Wiring } from '../node.ts';

/** `at`: when it was last true; on quotes, when it was first seen not true. `null`: it still is true. */
type SinceMemory = { at: number | null };
type StepsMemory = { steps: number };

const NEVER = unknown('no_data', 'The condition has not been true since the deploy.');

export const since = defineNode({
  type: 'since',
  group: 'transform',
  title: 'Since',
  help: 'How long ago a condition was last true: 0 while it is. It begins with the deploy.',
  phrase: ({ unit }, { one, text }) => `the ${text(unit)} since ${one('in')}`,
  laws: {
    unknown: 'While its input is; until that has been true for the first time since the deploy.',
    gap: 'Time and candles in which nothing was evaluated count. Steps in which the input was unknown count as not true.',
  },
  inputs: [input('in', 'boolean', 'The condition.')],
  outputs: [output('number', 'Seconds or steps since it was true.')],
  config: z.strictObject({
    unit: z.enum(['seconds', 'steps']).default('seconds').meta({
      description:
        'seconds: from the close of the last candle at which it was true; on quotes from the first evaluation at which it no longer was. steps: candles.',
    }),
  }),
  bind: ({ unit }) => ({
    object: (view) =>
      unit === 'steps' && view('in')?.clock === TICK
        ? [
            {
              code: 'needs_candles',
              setting: 'unit',
              message:
                'Steps are counted on closed candles, and this input moves with every quote. Use “seconds”.',
            },
          ]
        : [],
    build: (wiring) => (unit === 'steps' ? countingSteps(wiring) : countingSeconds(wiring)),
  }),
});

function countingSteps(wiring: Wiring): Behavior {
  const { slot, clock } = wiring;
  const inSlot = wiring.input('in');
  return {
    compute(run) {
      const value = run.values[inSlot] as Value;
      if (run.isStep(clock)) count(run, slot, value);
      if (isUnknown(value)) return value;
      return run.recall<StepsMemory>(slot)?.steps ?? NEVER;
    },
  };
}

function count(run: Run, slot: number, value: Value): void {
  const before = run.recall<StepsMemory>(slot)?.steps;
  if (value === true) {
    if (before !== 0) run.remember(slot, { steps: 0 });
  } else if (before !== undefined) run.remember(slot, { steps: before + 1 });
}

function countingSeconds(wiring: Wiring): Behavior {
  const { slot, clock } = wiring;
  const inSlot = wiring.input('in');
  return {
    compute(run) {
      const value = run.values[inSlot] as Value;
      const memory = run.recall<SinceMemory>(slot);
      const at = run.timeOf(clock);
      if (value === true) {
        // On quotes nothing is stored while it is true.
        const last = clock >= 0 ? at : null;
        if (memory === undefined || memory.at !== last) run.remember(slot, { at: last });
        return 0;
      }
      if (memory === undefined) return isUnknown(value) ? value : NEVER;
      if (memory.at === null) run.remember(slot, { at });
      return isUnknown(value) ? value : (at - (memory.at ?? at)) / 1000;
    },
  };
}

import { z } from 'zod';
import type { Value } from '../../types.ts';
import { isUnknown } from '../../values.ts';
import { defineNode, input, output } from '../node.ts';
import { seconds } from '../shared-settings.ts';

/** `on`: the last known input. `from`: the time of the last counted signal. */
type PulseMemory = { on: boolean; from: number | null };

const YEAR_SEC = 31_536_000;

export const pulse = defineNode({
  type: 'pulse',
  group: 'control',
  title: 'Pulse',
  help: 'True for `seconds` from the moment a condition turns true, or from `afterSec` later. What the condition does meanwhile changes nothing, and a signal that comes meanwhile is left out. A condition that is true at the deploy has not turned true.',
  phrase: ({ seconds: lasts, afterSec = 0 }, { one, span }) => {
    const until = span(Number(lasts) + Number(afterSec));
    return `${afterSec === 0 ? 'within' : `from ${span(afterSec)} to`} ${until} of the moment that ${one('in')}`;
  },
  laws: {
    unknown: 'While its input is, unless an earlier signal still decides the answer.',
    gap: 'It follows the clock: what was over while nothing was evaluated does not come later. On candles it switches at their closes.',
  },
  inputs: [input('in', 'boolean', 'The condition.')],
  outputs: [output('boolean', 'Whether the pulse lasts.')],
  config: z.strictObject({
    seconds: seconds(1, YEAR_SEC, 'How long it lasts.'),
    afterSec: seconds(0, YEAR_SEC, 'How long after the signal it begins.').default(0),
  }),
  bind: (config) => ({
    build(wiring) {
      const { slot, clock } = wiring;
      const inSlot = wiring.input('in');
      const delayMs = config.afterSec * 1000;
      const endMs = delayMs + config.seconds * 1000;
      return {
        compute(run) {
          const value = run.values[inSlot] as Value;
          const memory = run.recall<PulseMemory>(slot);
          const at = run.timeOf(clock);
          let from = memory?.from ?? null;
          const isOver = from === null || at - from >= endMs;
          if (!isUnknown(value) && value !== memory?.on) {
            if (value === true && memory !== undefined && isOver) from = at;
            run.remember(slot, { on: value === true, from });
          }
          if (isUnknown(value) && isOver) return value;
          const age = from === null ? endMs : at - from;
          if (age < endMs) run.distances[slot] = ((age < delayMs ? delayMs : endMs) - age) / 1000;
          return age >= delayMs && age < endMs;
        },
      };
    },
  }),
});

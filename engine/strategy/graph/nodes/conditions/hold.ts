import { z } from 'zod';
import type { Value } from '../../types.ts';
import { reason } from '../../values.ts';
import { defineNode, input, output } from '../node.ts';
import { seconds } from '../shared-settings.ts';

/** The start of the current run of true; `null` while the input is not true. */
type HoldMemory = { since: number | null };

const HOLDING = reason('holding', 'True, but not for long enough yet.');

export const hold = defineNode({
  type: 'hold',
  group: 'condition',
  title: 'Hold',
  help: 'True once the input has been true for the given seconds without a break. False, unknown and a pause of the evaluation restart it.',
  phrase: ({ seconds }, { one, span }) => `${one('in')} for ${span(seconds)}`,
  laws: {
    unknown: 'While its input is.',
    gap: 'After more than ten seconds in which nothing was evaluated it begins again. Candles that were missed count.',
  },
  inputs: [input('in', 'boolean', 'The condition that must last.')],
  outputs: [output('boolean', 'Whether it has lasted.')],
  config: z.strictObject({ seconds: seconds(1, 31_536_000, 'How long it must last.') }),
  bind: (config) => ({
    build(wiring) {
      const { slot, clock } = wiring;
      const inSlot = wiring.input('in');
      return {
        compute(run) {
          const value = run.values[inSlot] as Value;
          const memory = run.recall<HoldMemory>(slot);
          const at = run.timeOf(clock);
          // Missed candles are stepped one by one; missed quotes are not known.
          const seenSince = clock < 0 ? run.world.observedSince : 0;
          const since = value === true ? Math.max(memory?.since ?? at, seenSince) : null;
          if (memory === undefined || memory.since !== since) run.remember(slot, { since });
          if (since === null) return value;
          const leftSec = config.seconds - (at - since) / 1000;
          if (leftSec <= 0) return true;
          run.distances[slot] = leftSec;
          run.mark(slot, 'waiting', HOLDING);
          return false;
        },
      };
    },
  }),
});

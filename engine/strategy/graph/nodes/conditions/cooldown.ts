import { z } from 'zod';
import type { Value } from '../../types.ts';
import { reason } from '../../values.ts';
import { defineNode, input, output, type RawSettings, type Words } from '../node.ts';
import { seconds } from '../shared-settings.ts';

/**
 * `on`: the last known input. `open`: whether its current run of true was let through. `passed`: times of passed signals,
 * newest last.
 */
type CooldownMemory = { on: boolean; open: boolean; passed: readonly number[] };

const NEVER: CooldownMemory = { on: false, open: false, passed: [] };
const COOLING = reason('cooldown', 'The last signal was let through too recently; this one was skipped.');
const FULL = reason(
  'window_full',
  'The largest number of signals was let through in this window; this one was skipped.',
);

export const cooldown = defineNode({
  type: 'cooldown',
  group: 'control',
  title: 'Cooldown',
  help: 'Lets a condition through, but not too often. A signal that comes too early is skipped: the condition must turn false and true again.',
  phrase: cooled,
  laws: {
    unknown: 'While its input is.',
    gap: 'Pauses continue while nothing is evaluated. True, unknown, true is one signal.',
  },
  inputs: [input('in', 'boolean', 'The condition.')],
  outputs: [output('boolean', 'True while a signal that was let through lasts.')],
  config: z
    .strictObject({
      seconds: seconds(0, 31_536_000, 'Shortest time between two signals that are let through.').default(0),
      maxCount: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: 'The largest number of signals per window.' }),
      windowSec: seconds(1, 31_536_000, 'Length of that rolling window.').optional(),
    })
    .refine((config) => (config.maxCount === undefined) === (config.windowSec === undefined), {
      path: ['windowSec'],
      error: '“maxCount” and “windowSec” belong together. Give both or neither.',
    }),
  bind: ({ seconds: pauseSec, maxCount = 1, windowSec = 0 }) => ({
    build(wiring) {
      const { slot, clock } = wiring;
      const inSlot = wiring.input('in');
      const pauseMs = pauseSec * 1000;
      const windowMs = windowSec * 1000;
      return {
        compute(run) {
          const value = run.values[inSlot] as Value;
          if (typeof value !== 'boolean') return value;
          const memory = run.recall<CooldownMemory>(slot) ?? NEVER;
          const at = run.timeOf(clock);
          const newest = memory.passed.at(-1) ?? Number.NEGATIVE_INFINITY;
          const oldest =
            memory.passed.length < maxCount
              ? Number.NEGATIVE_INFINITY
              : (memory.passed.at(-maxCount) as number);
          const cooling = at - newest < pauseMs;
          const full = windowMs > 0 && at - oldest < windowMs;
          let { open } = memory;
          if (value !== memory.on) {
            open = value && !cooling && !full;
            const passed = open ? [...memory.passed, at].slice(-maxCount) : memory.passed;
            run.remember(slot, { on: value, open, passed });
          }
          if (cooling) run.distances[slot] = (pauseMs - (at - newest)) / 1000;
          if (value && !open) run.mark(slot, 'blocked', full && !cooling ? FULL : COOLING);
          if (open && run.isLate(inSlot)) run.markLate(slot);
          return open;
        },
      };
    },
  }),
});

function cooled(
  { seconds: pauseSec = 0, maxCount, windowSec }: RawSettings,
  { one, span, text }: Words,
): string {
  const pause = Number(pauseSec) > 0 ? [`at most once in ${span(pauseSec)}`] : [];
  const count = maxCount === undefined ? [] : [`at most ${text(maxCount)} times in ${span(windowSec)}`];
  return [one('in'), ...pause, ...count].join(', ');
}

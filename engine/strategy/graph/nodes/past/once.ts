import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { Unknown, Value } from '../../types.ts';
import { isUnknown, reason } from '../../values.ts';
import { defineNode, input, output } from '../node.ts';
import { CATCHING_UP } from '../quote-readers.ts';
import { instrument } from '../shared-settings.ts';

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const EPOCH_WEEKDAY = 3;

const per = <const P extends string>(name: P, description: string) =>
  z.strictObject({ per: z.literal(name).meta({ description }) });

const settings = z.discriminatedUnion('per', [
  per('day', 'Once a day, from 00:00 UTC.'),
  per('week', 'Once a week, from Monday 00:00 UTC.'),
  per('month', 'Once a month, from its first day 00:00 UTC.'),
  per('deploy', 'Once after each deploy.'),
  z.strictObject({
    per: z.literal('position').meta({
      description:
        'Once per position of this blueprint, from its first unit to its last; nothing is let through while nothing is held.',
    }),
    instrument: instrument(),
  }),
]);
type Settings = z.output<typeof settings>;

/** `on`: the last known input. `open`: whether its current run of true was let through. `period`: the last period used. */
type OnceMemory = { on: boolean; open: boolean; period: number | null };

const NEVER: OnceMemory = { on: false, open: false, period: null };
const USED = reason('window_full', 'A signal of this period was let through already; this one was skipped.');
const FLAT = reason('no_position', 'Nothing is held: this signal was skipped.');

export const once = defineNode({
  type: 'once',
  group: 'control',
  title: 'Once',
  help: 'Lets the first signal of each period through: a day, a week, a month, a position, or the whole deploy. A skipped signal does not come later: the condition must turn false and true again.',
  phrase: ({ per }, { one, text, name }) =>
    `${one('in')}, once a ${text(per)}${name === '' ? '' : ` of ${name}`}`,
  laws: {
    unknown: 'While its input is, and while it is not known what is held.',
    gap: 'A candle belongs to the period in which it closes; one that closes at midnight to the day that begins.',
  },
  inputs: [input('in', 'boolean', 'The condition.')],
  outputs: [output('boolean', 'True while the signal that was let through lasts.')],
  config: settings,
  bind: (config) => ({
    ...(config.per === 'position' ? { needs: { position: config.instrument } } : {}),
    build(wiring) {
      const { slot, clock } = wiring;
      const inSlot = wiring.input('in');
      const periodOf = periodReader(config);
      return {
        compute(run) {
          const value = run.values[inSlot] as Value;
          if (isUnknown(value)) return value;
          const memory = run.recall<OnceMemory>(slot) ?? NEVER;
          let { open, period } = memory;
          if (value === true && !memory.on) {
            const current = periodOf(run, run.timeOf(clock));
            if (typeof current === 'object' && current !== null) return current;
            open = current !== null && current !== period;
            if (open) period = current;
          } else if (value === false) open = false;
          if (value !== memory.on) run.remember(slot, { on: value === true, open, period });
          if (value === true && !open) run.mark(slot, 'blocked', isFlat(config, run) ? FLAT : USED);
          if (open && run.isLate(inSlot)) run.markLate(slot);
          return open;
        },
      };
    },
  }),
});

const isFlat = (config: Settings, run: Run): boolean =>
  config.per === 'position' && run.isLive && !run.world.positions.has(config.instrument);

/** Identifies the period of an instant; `null` if there is none. */
function periodReader(config: Settings): (run: Run, at: number) => number | null | Unknown {
  switch (config.per) {
    case 'day':
      return (_run, at) => Math.floor(at / DAY_MS);
    case 'week':
      return (_run, at) => Math.floor((Math.floor(at / DAY_MS) + EPOCH_WEEKDAY) / 7);
    case 'month':
      return (_run, at) => monthOf(new Date(at));
    case 'deploy':
      return () => 0;
    case 'position':
      return (run) =>
        run.isLive ? (run.world.positions.get(config.instrument)?.openedAt ?? null) : CATCHING_UP;
  }
}

const monthOf = (date: Date): number => 12 * date.getUTCFullYear() + date.getUTCMonth();

import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { Value } from '../../types.ts';
import { isUnknown, unknown } from '../../values.ts';
import { type Behavior, defineNode, input, NOT_CONNECTED, output, type Wiring } from '../node.ts';

const settings = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('latch').meta({ description: 'Turns true by `set` and false by `reset`; `reset` wins.' }),
  }),
  z.strictObject({
    mode: z.literal('number').meta({ description: 'Keeps the last known number of its input.' }),
    initial: z.number().optional().meta({
      description: 'The number before the first one arrived; without it the value is unknown until then.',
    }),
  }),
]);
/** `out`: the visible value; `next`: the value visible from the next step on. */
type StoredValues<V> = { out: V; next: V };

const EMPTY = unknown('no_data', 'Nothing has been kept yet.');

export const memory = defineNode({
  type: 'memory',
  group: 'control',
  title: 'Memory',
  help: 'Remembers across steps: a latch, or the last number. It shows what it held at the end of the step before, so it may close a cycle. Unknown inputs change nothing; while `reset` is unknown, `set` does nothing either.',
  phrase: ({ mode, initial }, { one, text }) => {
    if (mode === 'number')
      return `(the last ${one('in')} before${initial === undefined ? '' : `, at first ${text(initial)}`})`;
    const reset = one('reset');
    return `once ${one('set')}${reset === '' ? '' : `, until ${reset}`}`;
  },
  laws: {
    unknown: 'A kept number before the first one arrived; a latch never.',
    gap: 'Unknown inputs change nothing.',
  },
  inputs: [
    input('set', 'boolean', 'Turns the latch on.', { when: { setting: 'mode', in: ['latch'] } }),
    input('reset', 'boolean', 'Turns the latch off; wins over `set`.', {
      optional: true,
      when: { setting: 'mode', in: ['latch'] },
    }),
    input('in', 'number', 'The number to keep.', { when: { setting: 'mode', in: ['number'] } }),
  ],
  outputs: [
    output('boolean', 'Whether the latch is on.', { setting: 'mode', in: ['latch'] }),
    output('number', 'The kept number.', { setting: 'mode', in: ['number'] }),
  ],
  delays: true,
  config: settings,
  bind: (config) => ({
    build: (wiring) =>
      config.mode === 'latch'
        ? keeper(wiring, false, latched(wiring))
        : keeper(wiring, config.initial ?? null, lastNumber(wiring)),
  }),
});

function keeper<V extends number | boolean | null>(
  { slot, clock }: Wiring,
  initial: V,
  takeUp: (run: Run, held: V) => V,
): Behavior {
  const fresh: StoredValues<V> = { out: initial, next: initial };
  return {
    compute(run) {
      const stored = run.recall<StoredValues<V>>(slot) ?? fresh;
      if (run.isStep(clock) && stored.next !== stored.out)
        run.remember(slot, { out: stored.next, next: stored.next });
      return (run.isStep(clock) ? stored.next : stored.out) ?? EMPTY;
    },
    // Between candles the inputs do not change, so this has no effect then.
    settle(run) {
      const stored = run.recall<StoredValues<V>>(slot) ?? fresh;
      const next = takeUp(run, stored.next);
      if (next !== stored.next) run.remember(slot, { out: stored.out, next });
    },
  };
}

function latched(wiring: Wiring) {
  const set = wiring.input('set');
  const reset = wiring.input('reset');
  return (run: Run, on: boolean): boolean => {
    const off = reset === NOT_CONNECTED ? false : run.values[reset];
    if (off === true) return false;
    return on || (off === false && run.values[set] === true);
  };
}

function lastNumber(wiring: Wiring) {
  const slot = wiring.input('in');
  return (run: Run, held: number | null): number | null => {
    const value = run.values[slot] as Value;
    return isUnknown(value) ? held : (value as number);
  };
}

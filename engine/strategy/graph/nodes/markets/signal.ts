import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { SignalArrival, Unknown, Value } from '../../types.ts';
import { unknown } from '../../values.ts';
import { type Behavior, defineNode, output, type Wiring } from '../node.ts';
import { CATCHING_UP } from '../quote-readers.ts';
import { seconds } from '../shared-settings.ts';

/** Names of signals: part of addresses, so they are lower-case words. */
export const SIGNAL_NAME = /^[a-z0-9][a-z0-9_-]{0,59}$/;

const settings = z.strictObject({
  name: z
    .string()
    .regex(
      SIGNAL_NAME,
      'A signal’s name has 1 to 60 small letters, digits, - and _, and begins with a letter or digit.',
    )
    .meta({
      description: 'The name of the signal, as in `/api/signals/{name}`.',
      examples: ['tradingview-btc'],
    }),
  kind: z.enum(['number', 'boolean', 'arrival']).default('boolean').meta({
    description:
      'The value as a number; as a condition that is true unless the value is 0; or true for one step when a value arrives.',
  }),
  maxAgeSec: seconds(
    1,
    31_536_000,
    'Seconds after which a value counts as stale and nothing acts on it.',
  ).default(3_600),
});
type Settings = z.output<typeof settings>;
/** The newest value that was seen, null before the first, and whether the last evaluation was true because of it. */
type ArrivalMemory = { id: string | null; isTrue?: boolean };

const VERBS = new Map<unknown, string>([
  ['boolean', ' is on'],
  ['arrival', ' arrives'],
]);

export const signal = defineNode({
  type: 'signal',
  group: 'source',
  title: 'Signal',
  help: 'A value sent from outside, for example by an alert of a chart service. It is read at the next evaluation after it arrived; of several that arrived since the last one, the newest.',
  phrase: ({ kind, name }, { text }) => `the signal ${text(name)}${VERBS.get(kind) ?? ''}`,
  laws: {
    unknown:
      'While none has arrived, or the newest is older than `maxAgeSec`; an arrival is then false. While missed candles are stepped.',
    gap: 'A value older than `maxAgeSec` at the first evaluation after it arrived is no arrival.',
  },
  outputs: [
    output('number', 'The newest value.', { setting: 'kind', in: ['number'] }),
    output('boolean', 'The condition.', { setting: 'kind', in: ['boolean', 'arrival'] }),
  ],
  config: settings,
  bind: (config) => ({
    moves: 'tick',
    needs: { signal: config.name },
    build: (wiring) => ({
      ...(config.kind === 'arrival' ? arrival(config, wiring) : { compute: newestValue(config) }),
      asOf: (run) => run.world.signals.get(config.name)?.at ?? null,
    }),
  }),
});

function newestValue({ name, kind, maxAgeSec }: Settings): (run: Run) => Value {
  const read = readerOf({ name, maxAgeSec });
  return (run) => {
    const newest = read(run);
    if ('unknown' in newest) return newest;
    return kind === 'number' ? newest.value : newest.value !== 0;
  };
}

function readerOf({ name, maxAgeSec }: Pick<Settings, 'name' | 'maxAgeSec'>) {
  const missing = unknown('no_data', `No value of the signal ${name} has arrived yet.`);
  const stale = unknown('stale', `The value of the signal ${name} is older than ${maxAgeSec} s.`);
  return (run: Run): SignalArrival | Unknown => {
    if (!run.isLive) return CATCHING_UP;
    const newest = run.world.signals.get(name);
    if (newest === undefined) return missing;
    return run.now - newest.at > maxAgeSec * 1_000 ? stale : newest;
  };
}

/**
 * True in the first evaluation after a value arrived, and false in the one after that: the next arrival is an edge of its own.
 * A value from before the deploy is no arrival.
 */
function arrival({ name, maxAgeSec }: Settings, { slot }: Wiring): Behavior {
  return {
    compute(run) {
      if (!run.isLive) return CATCHING_UP;
      const memory = run.recall<ArrivalMemory>(slot);
      if (memory?.isTrue === true) {
        run.remember(slot, { id: memory.id });
        return false;
      }
      const newest = run.world.signals.get(name);
      const id = newest?.id ?? memory?.id ?? null;
      if (memory?.id === id) return false;
      const isTrue = memory !== undefined && newest !== undefined && run.now - newest.at <= maxAgeSec * 1_000;
      run.remember(slot, isTrue ? { id, isTrue } : { id });
      return isTrue;
    },
  };
}

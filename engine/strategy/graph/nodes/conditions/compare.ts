import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import type { Unknown, Value } from '../../types.ts';
import { above, atLeast } from '../../values.ts';
import { type Behavior, defineNode, input, output, type Wiring } from '../node.ts';

const LEVELS = ['gt', 'gte', 'lt', 'lte'] as const;
const CROSSINGS = ['crossesAbove', 'crossesBelow'] as const;
const TWO = [...LEVELS, ...CROSSINGS] as const;

const settings = z.strictObject({
  op: z.enum([...LEVELS, 'between', ...CROSSINGS]).meta({
    description:
      'gt: a > b · gte: a ≥ b · lt: a < b · lte: a ≤ b · between: low ≤ a ≤ high · crossesAbove, crossesBelow: true for the one step in which a > b (a < b) turns true; equal is neither, so touching b and leaving on the same side counts.',
  }),
  hysteresis: z.number().min(0).max(1e12).default(0).meta({
    description: 'Once true, the condition stays true until a has come back past the threshold by this much.',
  }),
});
type Op = z.output<typeof settings>['op'];
/** The last known level and, for crossings, whether the last step crossed. */
type CompareMemory = { on: boolean; crossed: boolean };

export const compare = defineNode({
  type: 'compare',
  group: 'condition',
  title: 'Compare',
  help: 'Compares two numbers. Tiny rounding differences count as equal. Unknown if an input is unknown.',
  phrase: ({ op, hysteresis = 0 }, { one, word, text }) => {
    const range =
      op === 'between' ? `is between ${one('low')} and ${one('high')}` : `${word(op)} ${one('b')}`;
    return `${one('a')} ${range}${hysteresis === 0 ? '' : ` with a hysteresis of ${text(hysteresis)}`}`;
  },
  laws: {
    unknown: 'While an input is.',
    equality:
      'Numbers that differ by less than one part in 10¹² are equal: not above, not below, and no crossing.',
    gap: 'A crossing compares with the last step at which both numbers were known; the first one crosses nothing.',
  },
  inputs: [
    input('a', 'number', 'The number that is compared.'),
    input('b', 'number', 'What it is compared with.', { when: { setting: 'op', in: TWO } }),
    input('low', 'number', 'Lower end of the range.', { when: { setting: 'op', in: ['between'] } }),
    input('high', 'number', 'Upper end of the range.', { when: { setting: 'op', in: ['between'] } }),
  ],
  outputs: [output('boolean', 'Whether it holds.')],
  config: settings,
  bind: ({ op, hysteresis }) => ({
    isPure: hysteresis === 0 && op !== 'crossesAbove' && op !== 'crossesBelow',
    hasDistance: true,
    build(wiring) {
      const level = op === 'between' ? inRange(wiring, hysteresis) : beyond(op, wiring, hysteresis);
      if (op === 'crossesAbove' || op === 'crossesBelow') return crossing(level, wiring);
      return hysteresis === 0 ? { compute: (run) => level(run, false) } : sticky(level, wiring);
    },
  }),
});

/** Whether the level holds, given its previous state; records the distance to switching. */
type Level = (run: Run, on: boolean) => boolean | Unknown;

function beyond(op: Exclude<Op, 'between'>, wiring: Wiring, hysteresis: number): Level {
  const { slot } = wiring;
  const aSlot = wiring.input('a');
  const bSlot = wiring.input('b');
  const upward = op === 'gt' || op === 'gte' || op === 'crossesAbove';
  const test = op === 'gte' || op === 'lte' ? atLeast : above;
  return (run, on) => {
    const a = run.values[aSlot] as Value;
    if (typeof a !== 'number') return a as Unknown;
    const b = run.values[bSlot] as Value;
    if (typeof b !== 'number') return b as Unknown;
    const slack = on ? hysteresis : 0;
    const threshold = upward ? b - slack : b + slack;
    run.distances[slot] = Math.abs(a - threshold);
    return upward ? test(a, threshold) : test(threshold, a);
  };
}

function inRange(wiring: Wiring, hysteresis: number): Level {
  const { slot } = wiring;
  const [aSlot, lowSlot, highSlot] = [wiring.input('a'), wiring.input('low'), wiring.input('high')];
  return (run, on) => {
    const a = run.values[aSlot] as Value;
    if (typeof a !== 'number') return a as Unknown;
    const low = run.values[lowSlot] as Value;
    if (typeof low !== 'number') return low as Unknown;
    const high = run.values[highSlot] as Value;
    if (typeof high !== 'number') return high as Unknown;
    const slack = on ? hysteresis : 0;
    run.distances[slot] = Math.min(Math.abs(a - low + slack), Math.abs(a - high - slack));
    return atLeast(a, low - slack) && atLeast(high + slack, a);
  };
}

/** A level with hysteresis. On a candle clock it may be computed again within a step, with the same result. */
function sticky(level: Level, { slot }: Wiring): Behavior {
  return {
    compute(run) {
      const memory = run.recall<CompareMemory>(slot);
      const on = level(run, memory?.on === true);
      if (typeof on === 'boolean' && on !== memory?.on) run.remember(slot, { on, crossed: false });
      return on;
    },
  };
}

/** True in the step in which the level changes from known false to true. The first known step is no crossing. */
function crossing(level: Level, { slot, clock }: Wiring): Behavior {
  return {
    compute(run) {
      const memory = run.recall<CompareMemory>(slot);
      const on = level(run, memory?.on === true);
      if (typeof on !== 'boolean') return on;
      if (memory !== undefined && !run.isStep(clock)) return memory.crossed;
      const crossed = on && memory?.on === false;
      if (on !== memory?.on || crossed !== memory.crossed) run.remember(slot, { on, crossed });
      return crossed;
    },
  };
}

import { z } from 'zod';
import type { Value } from '../../types.ts';
import { enoughTrue, not } from '../../values.ts';
import { defineNode, input, type NodeIssue, output, type RawSettings, type Words } from '../node.ts';

const MANY = ['and', 'or', 'atLeast'] as const;

const settings = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('and').meta({ description: 'True if all inputs are true.' }) }),
  z.strictObject({ op: z.literal('or').meta({ description: 'True if any input is true.' }) }),
  z.strictObject({ op: z.literal('not').meta({ description: 'True if the input is false.' }) }),
  z.strictObject({
    op: z.literal('atLeast').meta({ description: 'True if at least k inputs are true.' }),
    k: z.int().min(1).max(199).meta({ description: 'How many inputs must be true.' }),
  }),
]);
type Settings = z.output<typeof settings>;

export const logic = defineNode({
  type: 'logic',
  group: 'condition',
  title: 'Logic',
  help: 'Combines conditions. What is decided without an unknown input is known: `or` with one true input is true, `and` with one false input is false.',
  phrase: combination,
  laws: {
    unknown: 'While it is not decided by the inputs that are known.',
  },
  inputs: [
    input('in', 'boolean', 'The conditions.', { many: true, when: { setting: 'op', in: MANY } }),
    input('a', 'boolean', 'The condition.', { when: { setting: 'op', in: ['not'] } }),
  ],
  outputs: [output('boolean', 'The combination.')],
  config: settings,
  bind: (config) => ({
    isPure: true,
    object: (view) => (config.op === 'atLeast' ? tooMany(config.k, view('in')?.edges ?? 0) : []),
    build(wiring) {
      if (config.op === 'not') {
        const slot = wiring.input('a');
        return { compute: (run) => not(run.values[slot] as Value) };
      }
      const slots = wiring.inputs('in');
      const needed = neededOf(config, slots.length);
      return { compute: (run) => enoughTrue(run.values, slots, needed) };
    },
  }),
});

function tooMany(k: number, edges: number): NodeIssue[] {
  if (edges === 0 || k <= edges) return [];
  const message = `${k} of ${edges} conditions can never be true. Lower “k” or connect more conditions.`;
  return [{ code: 'never_true', setting: 'k', message }];
}

function neededOf(config: Exclude<Settings, { op: 'not' }>, inputs: number): number {
  if (config.op === 'atLeast') return config.k;
  return config.op === 'and' ? inputs : 1;
}

function combination({ op, k }: RawSettings, { one, all, text }: Words): string {
  const conditions = all('in');
  switch (op) {
    case 'not':
      return `not (${one('a')})`;
    case 'atLeast':
      return `at least ${text(k)} of: ${conditions.join('; ')}`;
    default: {
      const [only = '', ...others] = conditions;
      return others.length === 0 ? only : conditions.map((each) => `(${each})`).join(` ${text(op)} `);
    }
  }
}

import { z } from 'zod';
import type { Value } from '../../types.ts';
import { finite, isUnknown } from '../../values.ts';
import { defineNode, input, output } from '../node.ts';

const OF_NUMBERS = ['sum', 'mean', 'max', 'min'] as const;

const settings = z.strictObject({
  statistic: z.enum([...OF_NUMBERS, 'count']).meta({
    description:
      '`sum`, `mean`, `max` and `min` are of numbers; `count` is the number of conditions that are true.',
  }),
});
type Statistic = z.output<typeof settings>['statistic'];

export const aggregate = defineNode({
  type: 'aggregate',
  group: 'transform',
  title: 'Aggregate',
  help: 'One number of many values. Behind a list of instruments it takes the values of all of them, and is the same for each.',
  phrase: ({ statistic }, { all, text }) =>
    statistic === 'count'
      ? `the number of true ones of: ${all('in').join('; ')}`
      : `the ${text(statistic)} of ${all('in').join(', ')}`,
  laws: { unknown: 'While an input is; where the result is not finite.' },
  inputs: [
    input('in', 'number', 'The values.', { many: true, when: { setting: 'statistic', in: OF_NUMBERS } }),
    input('in', 'boolean', 'The conditions.', { many: true, when: { setting: 'statistic', in: ['count'] } }),
  ],
  outputs: [output('number', 'The result.')],
  gathers: { port: 'in' },
  config: settings,
  bind: ({ statistic }) => ({
    isPure: true,
    build(wiring) {
      const slots = wiring.inputs('in');
      return {
        compute(run) {
          const values: number[] = [];
          for (const slot of slots) {
            const value = run.values[slot] as Value;
            if (isUnknown(value)) return value;
            values.push(Number(value));
          }
          return finite(resultOf(statistic, values));
        },
      };
    },
  }),
});

function resultOf(statistic: Statistic, values: readonly number[]): number {
  if (statistic === 'max') return Math.max(...values);
  if (statistic === 'min') return Math.min(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return statistic === 'mean' ? sum / values.length : sum;
}

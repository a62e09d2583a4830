import { z } from 'zod';
import type { Value } from '../../types.ts';
import { numeric } from '../../values.ts';
import { defineNode, input, output } from '../node.ts';

export const number = defineNode({
  type: 'number',
  group: 'transform',
  title: 'As a number',
  help: 'A condition as a number: 1 while it is true, 0 while it is false.',
  phrase: (_, { one }) => `(1 if ${one('in')}, else 0)`,
  laws: { unknown: 'While its input is.' },
  inputs: [input('in', 'boolean', 'The condition.')],
  outputs: [output('number', '1 or 0.')],
  config: z.strictObject({}),
  bind: () => ({
    isPure: true,
    build(wiring) {
      const slot = wiring.input('in');
      return { compute: (run) => numeric(run.values[slot] as Value) };
    },
  }),
});

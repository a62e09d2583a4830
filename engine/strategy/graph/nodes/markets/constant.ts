import { z } from 'zod';
import { defineNode, output } from '../node.ts';

export const constant = defineNode({
  type: 'constant',
  group: 'source',
  title: 'Constant',
  help: 'A number that never changes: a threshold, a price, an amount.',
  phrase: ({ value }, { text }) => text(value),
  laws: {
    unknown: 'Never.',
  },
  outputs: [output('number', 'The number.')],
  config: z.strictObject({ value: z.number().meta({ description: 'The number.' }) }),
  bind: ({ value }) => ({ isPure: true, build: () => ({ compute: () => value }) }),
});

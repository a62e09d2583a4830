import { z } from 'zod';
import type { Value } from '../../types.ts';
import { isUnknown } from '../../values.ts';
import { defineNode, input, output } from '../node.ts';
import { portKindSetting, portsByKind } from './port-kind-setting.ts';

export const fallback = defineNode({
  type: 'fallback',
  group: 'transform',
  title: 'Fallback',
  help: 'The first of several values that is known, in the order of the edges. It keeps a graph working while a source is silent.',
  phrase: (_, { all }) => `the first known of ${all('in').join(', ')}`,
  laws: { unknown: 'While all of its inputs are, for the reason of the first.' },
  inputs: portsByKind((kind, options) => [
    input('in', kind, 'The values, the preferred one first.', { many: true, ...options }),
  ]),
  outputs: portsByKind((kind, { when }) => [output(kind, 'The first known value.', when)]),
  config: z.strictObject({ kind: portKindSetting() }),
  bind: () => ({
    isPure: true,
    build(wiring) {
      const [first = -1, ...others] = wiring.inputs('in');
      return {
        compute(run) {
          const preferred = run.values[first] as Value;
          if (!isUnknown(preferred)) return preferred;
          for (const slot of others) {
            const value = run.values[slot] as Value;
            if (!isUnknown(value)) return value;
          }
          return preferred;
        },
      };
    },
  }),
});

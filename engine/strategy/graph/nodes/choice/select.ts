import { z } from 'zod';
import type { Value } from '../../types.ts';
import { equal, isUnknown } from '../../values.ts';
import { defineNode, input, output } from '../node.ts';
import { portKindSetting, portsByKind } from './port-kind-setting.ts';

export const select = defineNode({
  type: 'select',
  group: 'transform',
  title: 'Select',
  help: 'One of two values: `yes` while a condition is true, `no` while it is false.',
  phrase: (_, { one }) => `(${one('yes')} if ${one('if')}, else ${one('no')})`,
  laws: {
    unknown:
      'While `if` is unknown, unless both values are known and equal; while the chosen value is unknown. The other one may be.',
    equality: 'Numbers that differ by less than one part in 10¹² are equal.',
  },
  inputs: [
    input('if', 'boolean', 'The condition.'),
    ...portsByKind((kind, options) => [
      input('yes', kind, 'The value while the condition is true.', options),
      input('no', kind, 'The value while the condition is false.', options),
    ]),
  ],
  outputs: portsByKind((kind, { when }) => [output(kind, 'The chosen value.', when)]),
  config: z.strictObject({ kind: portKindSetting() }),
  bind: () => ({
    isPure: true,
    build(wiring) {
      const [ifSlot, yesSlot, noSlot] = [wiring.input('if'), wiring.input('yes'), wiring.input('no')];
      return {
        compute(run) {
          const condition = run.values[ifSlot] as Value;
          const [yes, no] = [run.values[yesSlot] as Value, run.values[noSlot] as Value];
          if (isUnknown(condition)) return isSame(yes, no) ? yes : condition;
          return condition === true ? yes : no;
        },
      };
    },
  }),
});

function isSame(a: Value, b: Value): boolean {
  return typeof a === 'number' && typeof b === 'number' ? equal(a, b) : typeof a === 'boolean' && a === b;
}

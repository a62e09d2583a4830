import { z } from 'zod';
import type { Value } from '../../types.ts';
import { finite, isUnknown } from '../../values.ts';
import { defineNode, input, type NodeIssue, output } from '../node.ts';
import { fraction } from '../shared-settings.ts';

const settings = z.strictObject({
  max: fraction('The largest weight: 0.4 is 40 %. The others take what is above it, up to theirs.').default(
    1,
  ),
});

export const weight = defineNode({
  type: 'weight',
  group: 'transform',
  title: 'Weight',
  help: 'The share of a value in the sum of several, from 0 to 1. Behind a list of instruments it is the part of the money for each of them: of 1 everywhere all have the same, of 1 / volatility calm ones have more. All weights add up to 1, to less where each is at its maximum, and to 0 where no value is above 0.',
  phrase: ({ max }, { one, all, share }) =>
    `the weight of ${one('in')} among ${all('among').length}${max === 1 ? '' : `, up to ${share(max)}`}`,
  laws: {
    unknown: 'While its own value or one of the others is.',
    equality: 'A value of 0 or below has a weight of 0.',
  },
  inputs: [
    input('in', 'number', 'The value whose weight it is.'),
    input('among', 'number', 'All values, its own included. Not needed behind a list of instruments.', {
      many: true,
      optional: true,
    }),
  ],
  outputs: [output('number', 'Its weight, 0 to 1.')],
  gathers: { port: 'among', of: 'in' },
  config: settings,
  bind: ({ max }) => ({
    isPure: true,
    object: (view) => requireOthers(view('among')?.edges ?? 0),
    build(wiring) {
      const slot = wiring.input('in');
      const among = wiring.inputs('among');
      const place = among.indexOf(slot);
      const others = among.filter((_, index) => index !== place);
      return {
        compute(run) {
          const own = run.values[slot] as Value;
          if (isUnknown(own)) return own;
          const values = [Math.max(0, Number(own))];
          for (const each of others) {
            const value = run.values[each] as Value;
            if (isUnknown(value)) return value;
            values.push(Math.max(0, Number(value)));
          }
          return weightOf(Math.max(0, Number(own)), values, max);
        },
      };
    },
  }),
});

/**
 * The weight of one of these values, none below 0. The largest are cut at the maximum, one after the other; what is left of 1 is
 * for the others, in proportion.
 */
function weightOf(own: number, values: readonly number[], max: number): Value {
  if (own === 0) return 0;
  const largestFirst = values.toSorted((a, b) => b - a);
  // Added up from the smallest: a difference of large sums would lose small values.
  const sums: number[] = [];
  let sum = 0;
  for (let index = largestFirst.length - 1; index >= 0; index--) {
    sum += largestFirst[index] as number;
    sums[index] = sum;
  }
  if (!Number.isFinite(sum)) return finite(sum);
  let free = 1;
  for (const [index, value] of largestFirst.entries()) {
    sum = sums[index] as number;
    if (value === own || (value / sum) * free <= max) break;
    free -= max;
  }
  return Math.min(max, (own / sum) * free);
}

function requireOthers(edges: number): NodeIssue[] {
  if (edges > 0) return [];
  const message =
    'There is nothing to weigh the value against. Connect a value of a list of instruments to “in”, or all values to “among”.';
  return [{ code: 'missing_input', message }];
}

import { z } from 'zod';
import type { Unknown, Value } from '../../types.ts';
import { isUnknown } from '../../values.ts';
import { defineNode, input, type NodeIssue, output } from '../node.ts';

const settings = z.strictObject({
  k: z.int().min(1).max(49).meta({ description: 'How many are at the top.' }),
  from: z.enum(['highest', 'lowest']).default('highest').meta({
    description: 'Whether the highest values are at the top, or the lowest.',
  }),
});

export const top = defineNode({
  type: 'top',
  group: 'condition',
  title: 'Top',
  help: 'Whether a value is among the k highest or lowest of several. Behind a list of instruments it compares each of them with the others.',
  phrase: ({ k, from }, { one, all, text }) =>
    `${one('in')} is among the ${text(k)} ${text(from)} of ${all('among').length}`,
  laws: {
    unknown: 'While its own value is; while unknown values among the others decide.',
    equality: 'Only numbers that are exactly equal tie: the one that comes first is ahead.',
  },
  inputs: [
    input('in', 'number', 'The value to find among the others.'),
    input('among', 'number', 'All values, its own included. Not needed behind a list of instruments.', {
      many: true,
      optional: true,
    }),
  ],
  outputs: [output('boolean', 'Whether it is among them.')],
  gathers: { port: 'among', of: 'in' },
  config: settings,
  bind: ({ k, from }) => ({
    isPure: true,
    object: (view) => uselessOf(k, view('among')?.edges ?? 0),
    build(wiring) {
      const slot = wiring.input('in');
      const among = wiring.inputs('among');
      const place = among.indexOf(slot);
      const sign = from === 'highest' ? 1 : -1;
      return {
        compute(run) {
          const own = run.values[slot] as Value;
          return isUnknown(own) ? own : isAmong(run.values, { among, place, own: Number(own), k, sign });
        },
      };
    },
  }),
});

type Ranked = {
  readonly among: readonly number[];
  /** Index of its own value; -1 if it is none of them. */
  readonly place: number;
  readonly own: number;
  readonly k: number;
  readonly sign: 1 | -1;
};

/** Counts the values ahead. Unknown ones leave it open only while they could change the answer. */
function isAmong(values: readonly Value[], { among, place, own, k, sign }: Ranked): boolean | Unknown {
  let ahead = 0;
  let open = 0;
  let why: Unknown | null = null;
  for (const [index, slot] of among.entries()) {
    const value = values[slot] as Value;
    if (index === place) continue;
    if (isUnknown(value)) {
      open++;
      why ??= value;
    } else if (sign * Number(value) > sign * own || (value === own && index < place)) ahead++;
  }
  if (ahead >= k) return false;
  return why === null || ahead + open < k ? true : why;
}

function uselessOf(k: number, edges: number): NodeIssue[] {
  if (edges > k) return [];
  const message =
    edges === 0
      ? 'There is nothing to compare the value with. Connect a value of a list of instruments to “in”, or all values to “among”.'
      : `Each of ${edges} values is among the top ${k} of them. Lower “k”, or compare more.`;
  return [{ code: 'always_true', setting: 'k', message }];
}

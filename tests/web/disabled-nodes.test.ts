import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disabledNodesOf as compiled } from '../../engine/strategy/graph/compile/disabled-nodes.ts';
import { Issues } from '../../engine/strategy/graph/compile/issues.ts';
import { parseGraph } from '../../engine/strategy/graph/compile/parse.ts';
import {
  disabledNodesOf,
  isDisabled,
  quotedNames,
  withSwitched,
} from '../../web/src/editor/drawing/disabled-nodes.ts';
import { readGraph } from '../../web/src/editor/drawing/json.ts';

const NOTES = new Set(['note']);
const drawn = fc.record({
  off: fc.array(fc.constantFrom(true, false, undefined, 'yes', null), { minLength: 8, maxLength: 8 }),
  ends: fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 16 }),
});

test('the canvas shows exactly the steps as silent that the compiler silences, for any graph', () => {
  fc.assert(
    fc.property(drawn, ({ off, ends }) => {
      const visual = {
        nodes: off.map((disabled, index) => ({
          id: `n${index}`,
          type: index === 7 ? 'note' : 'logic',
          data: { disabled },
        })),
        edges: ends.map(([from, to]) => ({ source: `n${from}`, target: `n${to}` })),
      };
      const theirs = compiled(parseGraph(visual, new Issues()));
      expect([...disabledNodesOf(readGraph(visual), NOTES)].sort()).toEqual(
        [...theirs].map(([id, cause]) => [id, cause.id]).sort(),
      );
    }),
  );
});

test('steps are switched off together, and on again only once all of them are off', () => {
  const { nodes } = readGraph({
    nodes: ['a', 'b', 'c'].map((id) => ({ id, type: 'logic', data: { label: id, disabled: id === 'a' } })),
  });
  const offIn = (all: typeof nodes) => all.filter(isDisabled).map(({ id }) => id);
  const both = withSwitched(nodes, new Set(['a', 'b']));
  expect(offIn(both)).toEqual(['a', 'b']);
  const on = withSwitched(both, new Set(['a', 'b']));
  expect(offIn(on)).toEqual([]);
  expect(on[1]?.data).toEqual({ label: 'b' });
  expect(on[2]).toBe(nodes[2]);
});

test('three names are listed, then the number of the others', () => {
  expect(quotedNames(['A'])).toBe('“A”');
  expect(quotedNames(['A', 'B', 'C', 'D', 'E'])).toBe('“A”, “B”, “C” and 2 more');
});

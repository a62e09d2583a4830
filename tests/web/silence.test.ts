import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Issues } from '../../engine/strategy/graph/compile/issues.ts';
import { parseVisual } from '../../engine/strategy/graph/compile/parse.ts';
import { silenceOf as compiled } from '../../engine/strategy/graph/compile/silence.ts';
import { readDrawing } from '../../web/src/editor/drawing/json.ts';
import { isOff, namesOf, silenceOf, switched } from '../../web/src/editor/drawing/silence.ts';

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
      const theirs = compiled(parseVisual(visual, new Issues()));
      expect([...silenceOf(readDrawing(visual), NOTES)].sort()).toEqual(
        [...theirs].map(([id, cause]) => [id, cause.id]).sort(),
      );
    }),
  );
});

test('steps are switched off together, and on again only once all of them are off', () => {
  const { nodes } = readDrawing({
    nodes: ['a', 'b', 'c'].map((id) => ({ id, type: 'logic', data: { label: id, disabled: id === 'a' } })),
  });
  const offIn = (all: typeof nodes) => all.filter(isOff).map(({ id }) => id);
  const both = switched(nodes, new Set(['a', 'b']));
  expect(offIn(both)).toEqual(['a', 'b']);
  const on = switched(both, new Set(['a', 'b']));
  expect(offIn(on)).toEqual([]);
  expect(on[1]?.data).toEqual({ label: 'b' });
  expect(on[2]).toBe(nodes[2]);
});

test('three names are listed, then the number of the others', () => {
  expect(namesOf(['A'])).toBe('“A”');
  expect(namesOf(['A', 'B', 'C', 'D', 'E'])).toBe('“A”, “B”, “C” and 2 more');
});

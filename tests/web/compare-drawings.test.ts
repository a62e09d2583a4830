import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { compareGraphs } from '../../web/src/editor/drawing/compare.ts';
import { readGraph } from '../../web/src/editor/drawing/json.ts';
import { catalogueOf, type Node } from '../../web/src/editor/drawing/model.ts';
import { boxOf } from '../../web/src/editor/drawing/view.ts';
import { graph } from '../engine/strategy/graph/arbitraries.ts';

const CATALOGUE = catalogueOf({ types: describeCatalogue(), notes: ['note'] } as unknown as Parameters<
  typeof catalogueOf
>[0]);
const step = (id: string, type: string, data: object, x = 0) => ({ id, type, position: { x, y: 0 }, data });
const compared = (before: unknown, after: unknown) =>
  compareGraphs(readGraph(before), readGraph(after), CATALOGUE);

describe('two drawings compared', () => {
  test('each step that is another is listed with what is, in words; what merely moved says so', () => {
    const before = {
      nodes: [
        step('rsi', 'indicator', { label: 'Strength', config: { kind: 'rsi', period: 14 } }),
        step('low', 'compare', { config: { op: 'lt' } }),
        step('level', 'constant', { config: { value: 30 } }),
        step('say', 'notify', { config: { text: 'Low' } }),
      ],
      edges: [
        { source: 'rsi', target: 'low', targetHandle: 'a' },
        { source: 'level', target: 'low', targetHandle: 'b' },
        { source: 'low', target: 'say', targetHandle: 'when' },
      ],
    };
    const after = {
      nodes: [
        step('rsi', 'indicator', { label: 'RSI', config: { period: 7, kind: 'rsi' } }),
        step('low', 'compare', { config: { op: 'lte' }, disabled: true }, 300),
        step('say', 'notify', { config: { text: 'Low' } }, 600),
        step('other', 'constant', { label: 'Other', config: { value: 30 } }),
      ],
      edges: [
        { source: 'rsi', target: 'low', targetHandle: 'a' },
        { source: 'other', target: 'low', targetHandle: 'b' },
        { source: 'low', target: 'say', targetHandle: 'when' },
      ],
    };
    const { steps, edges, nodes } = compared(before, after);
    expect(steps.map(({ id, change, details }) => [id, change, details])).toEqual([
      ['rsi', 'changed', ['Name: Strength → RSI', 'Period: period 14 → period 7']],
      [
        'low',
        'changed',
        [
          'Switched off',
          'Operation: < → ≤',
          '“b” connected with “Other”',
          '“b” no longer connected with “Constant”',
        ],
      ],
      ['say', 'moved', []],
      ['other', 'added', []],
      ['level', 'removed', []],
    ]);
    expect(edges.map(({ change }) => change)).toEqual([null, 'added', null, 'removed']);
    expect(nodes.map(({ id }) => id)).toEqual(['rsi', 'low', 'say', 'other', 'level']);
  });

  test('a drawing is the same as itself, also with its keys in the order of the database', () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, reversed(inner)]),
            )
          : value;
    fc.assert(
      fc.property(graph, (visual) => {
        const { steps, edges } = compared(visual, reversed(visual));
        expect(steps).toEqual([]);
        expect(edges.every(({ change }) => change === null)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('what was added the one way was removed the other way', () => {
    fc.assert(
      fc.property(graph, graph, (one, other) => {
        const ids = (change: string, { steps }: ReturnType<typeof compared>) =>
          steps
            .filter((each) => each.change === change)
            .map(({ id }) => id)
            .sort();
        const [there, back] = [compared(one, other), compared(other, one)];
        expect(ids('added', there)).toEqual(ids('removed', back));
        expect(ids('changed', there)).toEqual(ids('changed', back));
        const all = new Set([...one.nodes, ...other.nodes].map(({ id }: Pick<Node, 'id'>) => id));
        expect(there.nodes.map(({ id }) => id).sort()).toEqual([...all].sort());
      }),
      { numRuns: 50 },
    );
  });

  test('what was removed covers nothing that stands there now, nor each other', () => {
    const at = (id: string, x: number, y: number) => ({ ...step(id, 'constant', {}, x), position: { x, y } });
    const { nodes } = compared(
      { nodes: [at('a', 0, 0), at('b', 10, 10), at('c', 600, 0)], edges: [] },
      { nodes: [at('x', 0, 0), at('y', 0, 100)], edges: [] },
    );
    const boxes = nodes.map((node) => boxOf(node, CATALOGUE));
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1))
        expect(
          one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y,
        ).toBe(true);
    expect(nodes.find(({ id }) => id === 'c')?.position).toEqual({ x: 600, y: 0 });
  });
});

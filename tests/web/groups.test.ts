import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import { evaluate } from '../../engine/strategy/graph/run/evaluate.ts';
import { withPositions } from '../../web/src/editor/drawing/arrange/initial-positions.ts';
import { tidyGraph } from '../../web/src/editor/drawing/arrange/tidy.ts';
import {
  GROUPS_MAX,
  type Group,
  groupsOf,
  selectedGroup,
  withGroup,
  withGroups,
  withoutMissingSteps,
} from '../../web/src/editor/drawing/groups.ts';
import { readGraph, writeGraph } from '../../web/src/editor/drawing/json.ts';
import type { Node } from '../../web/src/editor/drawing/model.ts';
import { boxOf } from '../../web/src/editor/drawing/view.ts';
import { graphOf, stepIdsOf, visibleGraphOf } from '../../web/src/editor/drawing/visible-graph.ts';
import { graph, moments } from '../engine/strategy/graph/arbitraries.ts';

const CATALOGUE = { types: new Map(), notes: new Set(['note']) };
const chain = (count: number, rest: object = {}) =>
  readGraph({
    nodes: Array.from({ length: count }, (_, index) => ({
      id: `n${index}`,
      type: 'logic',
      position: { x: 300 * index, y: 0 },
    })),
    edges: Array.from({ length: count - 1 }, (_, index) => ({
      id: `e${index}`,
      source: `n${index}`,
      target: `n${index + 1}`,
    })),
    ...rest,
  });
const ids = (drawing: Parameters<typeof groupsOf>[0]) =>
  groupsOf(drawing).map(({ id, members }) => [id, members]);

describe('groups of a drawing', () => {
  test('whatever stands for groups, the plan and what it does are those of the drawing without', () => {
    fc.assert(
      fc.property(graph, fc.jsonValue(), fc.nat(), (visual, groups, seed) => {
        const [one, other] = [compile(visual), compile({ ...visual, groups })];
        expect(other.issues).toEqual(one.issues);
        expect(JSON.stringify(other.plan)).toBe(JSON.stringify(one.plan));
        if (!one.plan || !other.plan) throw new Error('It compiles.');
        for (const { now, seen } of moments(seed, 2, [])) {
          const said = evaluate(other.plan, seen, null, now);
          expect(said.intents).toEqual(evaluate(one.plan, seen, null, now).intents);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('whatever is stored for them, each step is in one group at most, and none is made of nothing', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record({
          id: fc.oneof(fc.constantFrom('a', 'b', ''), fc.integer()),
          name: fc.oneof(fc.string({ maxLength: 200 }), fc.integer()),
          color: fc.constantFrom('blue', 'red', 'plaid', 7),
          collapsed: fc.oneof(fc.boolean(), fc.string()),
          nodes: fc.oneof(
            fc.array(fc.oneof(fc.constantFrom('n0', 'n1', 'n2', 'gone'), fc.integer())),
            fc.string(),
          ),
        }),
        { maxLength: 80 },
      ),
    );
    fc.assert(
      fc.property(value, (groups) => {
        const drawing = chain(3, { groups });
        const read = groupsOf(drawing);
        const members = read.flatMap((group) => group.members);
        expect(new Set(members).size).toBe(members.length);
        expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
        expect(read.length).toBeLessThanOrEqual(GROUPS_MAX);
        expect(read.every((group) => group.members.length > 0 && group.name.length <= 60)).toBe(true);
        const written = { ...drawing, rest: withGroups(drawing.rest, read) };
        expect(groupsOf(written)).toEqual(read);
        visibleGraphOf(drawing, read, ({ isCollapsed }) => isCollapsed, CATALOGUE);
      }),
    );
  });

  test('a group that is stored keeps what this editor does not know of it, and a look is no edit', () => {
    const groups = [
      { id: 'a', name: 'Entry', color: 'red', collapsed: true, nodes: ['n0', 'n1'], by: 'somebody' },
    ];
    const drawing = chain(3, { groups });
    expect(withGroups(drawing.rest, groupsOf(drawing))).toEqual({ groups });
    expect(writeGraph(drawing)).toMatchObject({ groups });
  });

  test('a step put into a new group leaves its old one; an empty group is removed; fifty is the limit', () => {
    let drawing = chain(60);
    const group = (...members: string[]) => {
      const rest = withGroup(drawing, members);
      if (rest) drawing = { ...drawing, rest };
      return rest !== null;
    };
    expect(group('n0', 'n1')).toBe(true);
    expect(group('n1', 'n2')).toBe(true);
    expect(ids(drawing)).toEqual([
      ['1', ['n0']],
      ['2', ['n1', 'n2']],
    ]);
    expect(group('n0')).toBe(true);
    expect(ids(drawing)).toHaveLength(2);
    for (let index = 3; index < 51; index++) expect(group(`n${index}`)).toBe(true);
    expect(group('n55', 'n56')).toBe(false);
    expect(groupsOf(drawing)).toHaveLength(GROUPS_MAX);
  });

  test('a deleted step leaves its group, so that a later step of the same id is not in it', () => {
    const drawing = chain(3, { groups: [{ id: 'a', nodes: ['n0', 'n1'] }] });
    const left = drawing.nodes.filter(({ id }) => id !== 'n1');
    expect(ids({ nodes: drawing.nodes, rest: withoutMissingSteps(drawing.rest, left) })).toEqual([
      ['a', ['n0']],
    ]);
    expect(withoutMissingSteps({}, left)).toEqual({});
  });

  test('a folded group is one card: edges across its border end there, and its inner edges are hidden', () => {
    const drawing = chain(5, { groups: [{ id: 'a', nodes: ['n1', 'n2'], collapsed: true }] });
    const visible = visibleGraphOf(drawing, groupsOf(drawing), ({ isCollapsed }) => isCollapsed, CATALOGUE);
    expect(visible.nodes.map(({ id }) => id)).toEqual(['n0', 'n3', 'n4']);
    expect(visible.edges.map(({ source, target, of }) => [source, target, of.id])).toEqual([
      ['n0', 'group:a', 'e0'],
      ['group:a', 'n3', 'e2'],
      ['n3', 'n4', 'e3'],
    ]);
    expect(graphOf(visible).nodes.map(({ id }) => id)).toContain('group:a');
    expect(stepIdsOf(['n0', 'group:a'], groupsOf(drawing))).toEqual(['n0', 'n1', 'n2']);
    expect(selectedGroup(groupsOf(drawing), ['n2', 'n1'])?.id).toBe('a');
    expect(selectedGroup(groupsOf(drawing), ['n1'])).toBeUndefined();
  });

  const drawn = fc
    .record({
      steps: fc.array(
        fc.record({
          type: fc.constantFrom('logic', 'logic', 'logic', 'note'),
          x: fc.integer({ min: -400, max: 900 }),
          y: fc.integer({ min: -400, max: 900 }),
          group: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
        }),
        { minLength: 1, maxLength: 14 },
      ),
      ways: fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 24 }),
      folded: fc.array(fc.integer({ min: 0, max: 3 })),
    })
    .map(({ steps, ways, folded }) => {
      const isStep = (index: number) => steps[index]?.type === 'logic';
      const drawing = readGraph({
        nodes: steps.map(({ type, x, y }, index) => ({
          id: `n${index}`,
          type,
          position: { x, y },
          data: type === 'note' ? { label: 'Why it is so. '.repeat(index) } : {},
        })),
        edges: ways
          .filter(([source, target]) => source !== target && isStep(source) && isStep(target))
          .map(([source, target], index) => ({
            id: `e${index}`,
            source: `n${source}`,
            target: `n${target}`,
          })),
        groups: [0, 1, 2, 3].map((number) => ({
          id: `g${number}`,
          nodes: steps.flatMap(({ group }, index) => (group === number ? [`n${index}`] : [])),
          collapsed: folded.includes(number),
        })),
      });
      const groups = groupsOf(drawing);
      const look = { isFolded: ({ isCollapsed }: Group) => isCollapsed, catalogue: CATALOGUE };
      const tidied = (nodes: readonly Node[]) =>
        withPositions(nodes, tidyGraph({ nodes, edges: drawing.edges }, groups, look));
      return { drawing, groups, look, tidied };
    });

  test('a tidied graph stays as it is when tidied again, whatever is connected, grouped and folded, also in circles', () => {
    fc.assert(
      fc.property(drawn, ({ drawing, tidied }) => {
        const once = tidied(drawing.nodes);
        expect(tidied(once)).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  test('tidied, no group or note covers another or a step that is not in it', () => {
    fc.assert(
      fc.property(drawn, ({ drawing, groups, look, tidied }) => {
        const { nodes } = drawing;
        const steps = tidied(nodes);
        const visible = visibleGraphOf({ nodes: steps, edges: [] }, groups, look.isFolded, CATALOGUE);
        const grouped = new Set(groups.flatMap(({ members }) => members));
        const boxes = [
          ...visible.groups.map(({ box }) => box),
          ...visible.nodes.filter(({ id }) => !grouped.has(id)).map((node) => boxOf(node, CATALOGUE)),
        ];
        for (const [index, one] of boxes.entries())
          for (const other of boxes.slice(index + 1))
            expect(
              one.x + one.width <= other.x ||
                other.x + other.width <= one.x ||
                one.y + one.height <= other.y ||
                other.y + other.height <= one.y,
              JSON.stringify([one, other]),
            ).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineStrategy, type Strategy, strategySource } from '../../client/src/strategy/index.ts';
import type { Json } from '../../db/json.ts';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import { TEMPLATES } from '../../engine/strategy/graph/templates/index.ts';
import { DRAWN_TYPES, graph, graphWith } from '../engine/strategy/graph/arbitraries.ts';

const INSTRUMENTS = {
  outcomeA: 'KXBTC:yes',
  outcomeB: '110000000000000123456',
};

/** Runs the source of a strategy as a module would. */
function run(source: string): Strategy {
  const expression = source
    .replace(/^import .*$/m, '')
    .replace('export default', '')
    .trim()
    .replace(/;$/, '');
  return JSON.parse(vm.runInNewContext(`JSON.stringify(${expression})`, { defineStrategy })) as Strategy;
}
const roundTrip = (visual: unknown): unknown => run(strategySource({ name: 'Any', visual })).visual;

/** The same graph as the editor stores it: with positions, labels, ids of edges, and nodes switched off. */
const asEdited = ({ nodes, edges }: { nodes: readonly object[]; edges: readonly object[] }): Json =>
  JSON.parse(
    JSON.stringify({
      viewport: { x: 0, y: 0, zoom: 1 },
      nodes: nodes.map((node, index) => {
        const { data, ...rest } = node as { data: object };
        return {
          ...rest,
          position: { x: index, y: 0 },
          data: { ...data, label: `Node ${index}`, disabled: false },
        };
      }),
      edges: edges.map((edge, index) => ({ id: `e${index}`, ...edge })),
    }),
  );

describe('the source of a graph draws the same graph', () => {
  test('of any graph that compiles, as it is and as the editor stores it', () => {
    fc.assert(
      fc.property(graph, (visual) => {
        expect(roundTrip(visual)).toEqual(JSON.parse(JSON.stringify(visual)));
        expect(roundTrip(asEdited(visual))).toEqual(asEdited(visual));
      }),
      { numRuns: 25 },
    );
  });

  test.each(DRAWN_TYPES)('with %s', (type) => {
    fc.assert(
      fc.property(graphWith(type), (visual) => {
        expect(roundTrip(visual)).toEqual(JSON.parse(JSON.stringify(visual)));
      }),
      { numRuns: 2 },
    );
  });

  test.each(TEMPLATES.map((template) => [template.key, template] as const))(
    'of the template %s',
    (_key, { visual }) => {
      const drawn = visual(INSTRUMENTS);
      expect(roundTrip(drawn)).toEqual(drawn);
      expect(strategySource({ name: 'Any', visual: drawn })).not.toMatch(
        /rawEdge\(\{|rawNode\(\{"id":"(?!note)/,
      );
    },
  );

  test('of any JSON, with hostile names', () => {
    const name = fc.oneof(
      fc.constantFrom(
        '__proto__',
        'constructor',
        'node',
        'class',
        'a',
        'a-b',
        'a b',
        '1',
        '',
        '\u2028',
        '`x`',
        "';",
      ),
      fc.string({ maxLength: 5 }),
    );
    const json = fc.jsonValue({ maxDepth: 2 });
    const node = fc.oneof(
      json,
      fc.record({ id: name, type: name, data: fc.record({ config: fc.dictionary(name, json) }) }),
    );
    const edge = fc.oneof(
      json,
      fc.record({ source: name, target: name, targetHandle: name }),
      fc.tuple(name, name, name).map(([source, target, targetHandle]) => ({
        id: `${source}-${target}-${targetHandle}`,
        source,
        sourceHandle: 'out',
        target,
        targetHandle,
      })),
    );
    const visual = fc.oneof(
      json,
      fc.record({
        nodes: fc.array(node, { maxLength: 6 }),
        edges: fc.array(edge, { maxLength: 6 }),
        more: json,
      }),
    );
    fc.assert(
      fc.property(visual, (value) => {
        const stored = JSON.parse(JSON.stringify(value));
        expect(JSON.stringify(roundTrip(stored)).length).toBe(JSON.stringify(stored).length);
        expect(roundTrip(stored)).toEqual(stored);
      }),
      { numRuns: 100 },
    );
  });

  test('its id, name and reference stay', () => {
    const strategy = { id: 'one', name: "It's `new`", thesisId: 'two', visual: null };
    expect(run(strategySource(strategy))).toEqual(strategy);
  });
});

const dip = () =>
  defineStrategy({ name: 'Dip buyer' }, ({ node }) => {
    const price = node('price', 'crypto.price', { symbol: 'BTCUSDT', field: 'ask' });
    const floor = node('floor', 'constant', { value: 60_000 });
    const below = node('below', 'compare', { op: 'lt' }, { a: price, b: floor });
    const size = node('size', 'size', { mode: 'notional', notional: 40 }, { price });
    node(
      'buy',
      'order',
      { instrument: 'BTCUSDT', side: 'buy', type: 'market' },
      { when: below, amount: size },
    );
  });

test('what the builder draws is a graph that the service runs', () => {
  const { plan, issues } = compile(dip().visual);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan?.actions).toHaveLength(1);
});

test('the source of what the builder drew connects every node by its variable', () => {
  const source = strategySource(dip());
  expect(source).toContain('{ when: below, amount: size }');
  expect(source).not.toMatch(/rawNode\(|rawEdge\(|connect\(/);
});

test('a wrong setting, port or kind of signal does not compile', () => {
  defineStrategy({ name: 'Wrong' }, ({ node }) => {
    const price = node('price', 'crypto.price', { symbol: { parameter: 'symbol' } });
    // @ts-expect-error there is no such type
    node('x', 'nope', {});
    // @ts-expect-error a text instead of a number
    node('one', 'constant', { value: 'one' });
    // @ts-expect-error the setting is required
    node('two', 'constant', {});
    // @ts-expect-error no such choice
    node('three', 'compare', { op: 'below' });
    // @ts-expect-error no such port
    node('four', 'compare', { op: 'lt' }, { left: price });
    // @ts-expect-error a number where a condition belongs
    node('five', 'hold', { seconds: 5 }, { in: price });
  });
});

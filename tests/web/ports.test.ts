import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeCatalogue, nodeTypes } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { graphFault, readGraph, writeGraph } from '../../web/src/editor/drawing/json.ts';
import { catalogueOf, type EdgeEnds, type Node, newId } from '../../web/src/editor/drawing/model.ts';
import {
  connectionFault,
  danglingInputs,
  pendingPorts,
  portsOf,
} from '../../web/src/editor/drawing/ports.ts';

/** The catalogue as it is received: JSON. */
const catalogue = catalogueOf(
  JSON.parse(
    JSON.stringify({
      types: describeCatalogue().map((type) => ({
        ...type,
        delays: nodeTypes.get(type.type)?.delays === true,
        trades: nodeTypes.get(type.type)?.trades === true,
      })),
      notes: ['note'],
    }),
  ),
);

const node = (id: string, type: string, config = {}): Node => ({
  id,
  type,
  position: { x: 0, y: 0 },
  data: { config },
});
const ends = (source: string, target: string, targetHandle: string): EdgeEnds => ({
  source,
  target,
  sourceHandle: 'out',
  targetHandle,
});
const edgesOf = (...all: EdgeEnds[]) => all.map((each, index) => ({ id: `e${index}`, ...each }));

describe('ports', () => {
  test('a port exists while its setting requires it', () => {
    const memory = catalogue.types.get('memory');
    expect(portsOf(memory, { mode: 'latch' }).inputs.map(({ name }) => name)).toEqual(['set', 'reset']);
    expect(portsOf(memory, { mode: 'number' }).inputs.map(({ name }) => name)).toEqual(['in']);
    expect(portsOf(undefined, {})).toEqual({ inputs: [], outputs: [] });
  });

  const nodes = [
    node('price', 'crypto.price', { symbol: 'BTCUSDT' }),
    node('one', 'math', { op: 'add' }),
    node('two', 'math', { op: 'add' }),
    node('kept', 'memory', { mode: 'number' }),
    node('both', 'logic', { op: 'and' }),
    node('words', 'note'),
  ];
  const input = portsOf(catalogue.types.get('math'), { op: 'add' }).inputs[0]?.name ?? '';
  const refused = (wanted: EdgeEnds, ...present: EdgeEnds[]) =>
    connectionFault(wanted, { nodes, edges: edgesOf(...present) }, catalogue);

  test('an edge to a missing input is detected, and an input that needs a setting is announced', () => {
    const { nodes, edges } = readGraph({
      nodes: [
        { id: 'a', type: 'constant' },
        { id: 'c', type: 'compare', data: { config: { op: 'gt' } } },
        { id: 'open', type: 'compare' },
      ],
      edges: [
        { id: 'e1', source: 'a', target: 'c', targetHandle: 'a' },
        { id: 'e2', source: 'a', target: 'c', targetHandle: 'low' },
        { id: 'e3', source: 'a', target: 'c', targetHandle: 'low' },
      ],
    });
    const [, set, open] = nodes;
    expect(set && danglingInputs(set, edges, catalogue)).toEqual(['low']);
    expect(open && danglingInputs(open, edges, catalogue)).toEqual([]);
    const compare = catalogue.types.get('compare');
    expect(pendingPorts(compare, {}).map(({ name }) => name)).toEqual(['b']);
    expect(pendingPorts(compare, { op: 'gt' })).toEqual([]);
  });

  test('fitting ports are connected, and others are refused with the reason', () => {
    expect(refused(ends('price', 'one', input))).toBeNull();
    expect(refused(ends('price', 'one', input), ends('price', 'one', input))).toBe(
      'They are connected already.',
    );
    expect(refused(ends('one', 'one', input))).toBe('A node cannot feed itself.');
    expect(refused(ends('gone', 'one', input))).toBe('Both ends must be nodes.');
    expect(refused(ends('words', 'one', input))).toContain('has no output');
    expect(refused(ends('price', 'one', 'nowhere'))).toContain('has no such input');
    expect(refused(ends('price', 'both', 'in'))).toContain('this is a number');
    expect(refused(ends('one', 'kept', 'in'), ends('two', 'kept', 'in'))).toContain('takes one connection');
  });

  test('a circle is refused, unless it contains a delay', () => {
    expect(refused(ends('two', 'one', input), ends('one', 'two', input))).toContain('form a loop');
    expect(refused(ends('kept', 'one', input), ends('one', 'kept', 'in'))).toBeNull();
  });
});

describe('any JSON as a graph', () => {
  test('reading never throws, and a graph that was read is written and read unchanged', () => {
    const json = fc.oneof(
      fc.jsonValue(),
      fc.record({ nodes: fc.array(fc.jsonValue()), edges: fc.array(fc.jsonValue()), more: fc.jsonValue() }),
      fc.record({
        nodes: fc.array(
          fc.record({ id: fc.constantFrom('a', 'b', 'c'), type: fc.string(), data: fc.jsonValue() }),
        ),
        edges: fc.array(
          fc.record({ source: fc.constantFrom('a', 'b', 'z'), target: fc.constantFrom('a', 'b', 'c') }),
        ),
      }),
    );
    fc.assert(
      fc.property(json, (visual) => {
        const written = writeGraph(readGraph(visual));
        expect(writeGraph(readGraph(written))).toEqual(written);
      }),
    );
  });

  test('a graph without faults keeps every node and edge', () => {
    const sound = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ id: 'e', source: 'a', target: 'b' }] };
    expect(graphFault(sound)).toBeNull();
    expect(readGraph(sound)).toMatchObject({ nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ id: 'e' }] });
    expect(graphFault({ ...sound, nodes: [{ id: 'a' }, { id: 'a' }] })).toContain('“a”');
    expect(graphFault({ ...sound, nodes: [{ id: 'a' }] })).toContain('Each edge');
    expect(graphFault(null)).toContain('Not a strategy');
  });

  test('a new id names its type and is free', () => {
    expect(newId('crypto.price', new Set())).toBe('crypto-price');
    expect(newId('compare', new Set(['compare', 'compare-2']))).toBe('compare-3');
  });
});

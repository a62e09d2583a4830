import fc from 'fast-check';
import { describe, test } from 'vitest';
import { compile } from '../../../../engine/strategy/graph/compile/compile.ts';
import { graphProblems } from '../../../../engine/usecases/blueprints/drafts/graph-bounds.ts';
import { expectBoundedGrowth, grownText, type Shape } from '../../../support/growth.ts';

/** Half of the largest graph: it is doubled. */
const BYTES = 128 * 1024;

const node = (type: string, config: object | string) => (index: number) =>
  `{"id":"n${index}","type":"${type}","data":{"config":${typeof config === 'string' ? config : JSON.stringify(config)}}}`;
const nodes = (unit: Shape['unit']): Shape => ({ head: '{"edges":[],"nodes":[', unit, tail: ']}' });
const edges = (unit: Shape['unit']): Shape => ({
  head: `{"nodes":[${[0, 1, 2].map(node('logic', { op: 'and' }))}],"edges":[`,
  unit,
  tail: ']}',
});
const config = (unit: Shape['unit']): Shape => ({
  head: '{"nodes":[{"id":"a","type":"constant","data":{"config":{',
  unit,
  tail: '}}}]}',
});

const SHAPES: Record<string, Shape> = {
  'numbers for nodes': nodes(() => '1'),
  'empty nodes': nodes(() => '{}'),
  annotations: nodes((index) => `{"id":"${index}"}`),
  'nodes of no type there is': nodes(node('nope', {})),
  'nodes with bad ids': nodes(() => '{"id":"\\u0007","type":"constant"}'),
  'nodes of one id': nodes(() => '{"id":"a","type":"constant"}'),
  'nodes without settings': nodes(node('compare', {})),
  'nodes with unknown settings': nodes(node('constant', { value: 1, a: 1, b: 2, c: 3 })),
  'nodes that are switched off': nodes(
    (index) => `{"id":"n${index}","type":"exit","data":{"disabled":true,"config":{}}}`,
  ),
  'edges between nodes that are switched off': {
    ...edges((index) => `{"source":"n${index % 3}","target":"n${(index * 7) % 3}"}`),
    head: '{"nodes":[{"id":"n0","type":"logic","data":{"disabled":true}},{"id":"n1","type":"logic"},{"id":"n2","type":"logic"}],"edges":[',
  },
  'texts that mention': nodes(node('notify', { text: '{n1} {n2} {n3} {n4}' })),
  'numbers for edges': edges(() => '1'),
  'edges from nowhere': edges((index) => `{"source":"x${index}","target":"n1"}`),
  'edges into one port': edges(() => '{"source":"n0","target":"n1","targetHandle":"in"}'),
  'edges round and round': edges((index) => `{"source":"n${index % 3}","target":"n${(index + 1) % 3}"}`),
  'a setting for every word': config((index) => `"k${index}":0`),
  'settings in order backwards': config((index) => `"${999_999 - index}":0`),
  'values far down': { head: `${'['.repeat(60)}`, unit: () => '1', tail: ']'.repeat(60) },
  'objects far down': {
    head: '{"a":'.repeat(60),
    joint: '',
    unit: (index) => (index === 0 ? '[0' : ',{"a":1}'),
    tail: `]${'}'.repeat(60)}`,
  },
  'what cannot be stored': { head: '[', unit: () => '9007199254740993', tail: ']' },
  'keys that cannot be stored': {
    head: '{',
    unit: (index) => `"${index}\\u0000":1`,
    tail: '}',
  },
  'one long id': { head: '{"nodes":[{"type":"a","id":"', joint: '', unit: () => 'x', tail: '"}]}' },
};

describe('twice the graph costs at most about twice', () => {
  test.each(Object.entries(SHAPES))('to check and to compile: %s', async (name, shape) => {
    await expectBoundedGrowth(name, BYTES, (size) => {
      const visual: unknown = JSON.parse(grownText(shape, size));
      graphProblems(visual);
      compile(visual);
    });
  });

  test('with any mixture of them', async () => {
    const lists = [nodes, edges];
    const values = Object.values(SHAPES)
      .map(({ unit }) => unit)
      .filter((unit) => unit(0).startsWith('{'));
    const anything = fc.json({ maxDepth: 3 }).map((json) => () => json);
    const mixture = fc.array(fc.oneof(fc.constantFrom(...values), anything), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lists), mixture, (list, units) => {
        const shape = list((index) => units[index % units.length]?.(index) ?? '1');
        return expectBoundedGrowth('a mixture', BYTES, (size) => {
          const visual: unknown = JSON.parse(grownText(shape, size));
          graphProblems(visual);
          compile(visual);
        });
      }),
      { numRuns: 25 },
    );
  });
});

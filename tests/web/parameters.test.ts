import { describe, expect, test } from 'vitest';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import {
  LIST_MAX as SERVED_LIST_MAX,
  PARAMETERS_MAX as SERVED_MAX,
} from '../../engine/strategy/graph/compile/parameters.ts';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { readGraph, writeGraph } from '../../web/src/editor/drawing/json.ts';
import { catalogueOf, configOf, type EditorGraph } from '../../web/src/editor/drawing/model.ts';
import {
  graphParametersOf,
  LIST_MAX,
  nameFault,
  PARAMETERS_MAX,
  referenceCount,
  withChangedParameter,
  withNewParameter,
  withoutParameter,
  withRenamedParameter,
} from '../../web/src/editor/drawing/parameters.ts';
import { dimensionOf } from '../../web/src/sweeps/form-values.ts';
import { parametersOf, pointerName, suggestedParameters } from '../../web/src/sweeps/parameters.ts';

const catalogue = catalogueOf(
  JSON.parse(
    JSON.stringify({
      types: describeCatalogue().map((type) => ({ ...type, delays: false, trades: false })),
      notes: ['note'],
    }),
  ),
);
const VISUAL = {
  nodes: [
    {
      id: 'floor',
      type: 'constant',
      position: { x: 0, y: 0 },
      data: { config: { value: { parameter: 'low' } } },
    },
    { id: 'roof', type: 'constant', position: { x: 0, y: 0 }, data: { config: { value: 3 } } },
  ],
  edges: [],
  parameters: { low: { value: 2, min: 1, max: 4, unit: 'USD', help: 'The floor.' }, 'a b': 'not one' },
};
const GRAPH = readGraph(VISUAL);
const after = (part: Partial<EditorGraph>) => writeGraph({ ...GRAPH, ...part });
const errorsOf = (visual: unknown) => compile(visual).issues.filter(({ severity }) => severity === 'error');

describe('parameters in the editor', () => {
  test('may list instruments: a setting keeps the first when the list is removed, and a sweep leaves it out', () => {
    const visual = {
      nodes: [
        {
          id: 'price',
          type: 'crypto.price',
          position: { x: 0, y: 0 },
          data: { config: { symbol: { parameter: 'coins' } } },
        },
      ],
      edges: [],
      parameters: { coins: { value: ['BTCUSDT', 'ETHUSDT'] } },
    };
    const graph = readGraph(visual);
    expect(writeGraph(graph)).toEqual(visual);
    expect(graphParametersOf(graph.rest)).toMatchObject([{ name: 'coins', value: ['BTCUSDT', 'ETHUSDT'] }]);
    expect(parametersOf(visual, catalogue)).toEqual([]);
    const removed = writeGraph({ ...graph, ...withoutParameter(graph, 'coins') });
    expect(errorsOf(removed)).toEqual([]);
    const changed = withChangedParameter(graph.rest, 'coins', { value: ['SOLUSDT'] });
    expect(compile(writeGraph({ ...graph, rest: changed })).plan?.nodeIds).toEqual(['price/SOLUSDT']);
  });

  test('are as many as the service allows', () => {
    expect([PARAMETERS_MAX, LIST_MAX]).toEqual([SERVED_MAX, SERVED_LIST_MAX]);
    let { rest } = GRAPH;
    for (let added = withNewParameter(rest); added; added = withNewParameter(rest)) rest = added.rest;
    expect(Object.keys(Object(rest['parameters']))).toHaveLength(PARAMETERS_MAX);
  });

  test('an invalid one is not shown, and stays in the graph while others change', () => {
    expect(graphParametersOf(GRAPH.rest)).toEqual([{ name: 'low', ...VISUAL.parameters.low }]);
    const rest = withChangedParameter(GRAPH.rest, 'low', { value: 3, unit: '' });
    expect(rest['parameters']).toEqual({
      low: { value: 3, min: 1, max: 4, help: 'The floor.' },
      'a b': 'not one',
    });
  });

  test('one that becomes a text has no bounds, which the service would refuse', () => {
    const rest = withChangedParameter(GRAPH.rest, 'low', { value: 'IOC' });
    expect(Object(rest['parameters']).low).toEqual({ value: 'IOC', unit: 'USD', help: 'The floor.' });
  });

  test('a new name takes the references along, so that the graph stays valid', () => {
    const { 'a b': _, ...valid } = VISUAL.parameters;
    const renamed = withRenamedParameter({ ...GRAPH, rest: { parameters: valid } }, 'low', 'floorPrice');
    expect(referenceCount(renamed.nodes, 'floorPrice')).toBe(1);
    expect(errorsOf(after(renamed))).toEqual([]);
    expect(nameFault('1st', [])).not.toBeNull();
    expect(nameFault('low', ['low'])).not.toBeNull();
  });

  test('a removed one leaves its value to the settings', () => {
    const { nodes, rest } = withoutParameter(GRAPH, 'low');
    expect(nodes.map((node) => configOf(node)['value'])).toEqual([2, 3]);
    expect(graphParametersOf(rest)).toEqual([]);
  });
});

test('a sweep names a parameter of the graph, suggests it first and stays within its bounds', () => {
  const parameters = parametersOf(VISUAL, catalogue);
  expect(parameters.map(({ pointer }) => pointer)).toEqual([
    '/parameters/low/value',
    '/nodes/1/data/config/value',
  ]);
  const [first] = suggestedParameters(parameters);
  expect(first?.name).toBe('low (USD)');
  expect(first && dimensionOf(first)).toMatchObject({ from: '1', to: '3', step: '0.2' });
  expect(pointerName('/parameters/low/value', VISUAL, catalogue)).toBe('low');
});

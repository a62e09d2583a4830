import { beforeEach, describe, expect, test } from 'vitest';
import { readCatalogue } from '../../routers/console/strategies/node-types.ts';
import { readGraph } from '../../web/src/editor/drawing/json.ts';
import { catalogueOf } from '../../web/src/editor/drawing/model.ts';
import {
  changeParameter,
  groupSteps,
  loadGraph,
  relabel,
  undo,
  useEditor,
} from '../../web/src/editor/store.ts';
import { showTriedValues } from '../../web/src/editor/trial/tried-values.ts';
import { draw } from '../engine/strategy/graph/graph-fixtures.ts';

const CATALOGUE = catalogueOf(JSON.parse(JSON.stringify(readCatalogue())));
const GRAPH = readGraph({
  ...draw({
    low: ['constant', { value: { parameter: 'low' } }],
    roof: ['constant', { value: 3 }],
  }),
  parameters: { low: { value: 2 } },
});
const TRIED = [
  { nodeId: 'low', state: { status: 'ok', value: 2 } },
  { nodeId: 'roof', state: { status: 'ok', value: 3 } },
] as const;

const show = (before = useEditor.getState()) =>
  showTriedValues([...TRIED], before, { catalogue: CATALOGUE, trail: before.trail });
const visible = () => {
  const { states, statesAt } = useEditor.getState();
  return statesAt && Object.entries(states).map(([id, { value }]) => [id, value]);
};
const ALL = TRIED.map(({ nodeId, state }) => [nodeId, state.value]);

describe('the values of a trial on the nodes', () => {
  beforeEach(() => {
    loadGraph(GRAPH);
    useEditor.setState({ states: {}, copies: new Map(), statesAt: undefined });
  });

  test('stay while groups change, and go with an edit of a node or of a parameter', () => {
    show();
    expect(visible()).toEqual(ALL);
    groupSteps(['low', 'roof']);
    expect(visible()).toEqual(ALL);
    changeParameter('low', { value: 4 });
    expect(visible()).toBeUndefined();
    expect(useEditor.getState().states).toEqual({});
    undo();
    show();
    expect(visible()).toEqual(ALL);
    relabel('roof', 'Roof');
    expect(visible()).toBeUndefined();
  });

  test('are not on a graph that was edited, or replaced by another, meanwhile', () => {
    const before = useEditor.getState();
    changeParameter('low', { value: 4 });
    show(before);
    expect(visible()).toBeUndefined();
    loadGraph(readGraph(draw({ low: ['constant', { value: 1 }] })));
    show(before);
    expect(visible()).toBeUndefined();
  });

  test('of a module that was tried alone are on its nodes', () => {
    const { nodes, edges, rest } = useEditor.getState();
    const trail = [{ graph: GRAPH, nodeId: 'entry', name: 'entry', opened: GRAPH }];
    useEditor.setState({ trail });
    showTriedValues([...TRIED], { nodes, edges, rest }, { catalogue: CATALOGUE, trail: [] });
    expect(visible()).toEqual(ALL);
    const whole = TRIED.map(({ nodeId, state }) => ({ nodeId: `entry/${nodeId}`, state }));
    showTriedValues(whole, { nodes, edges, rest }, { catalogue: CATALOGUE, trail });
    expect(visible()).toEqual(ALL);
  });
});

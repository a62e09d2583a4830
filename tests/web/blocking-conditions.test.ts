import { expect, test } from 'vitest';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { blockingConditions, parseGraph } from '../../web/src/editor/drawing/blocking-conditions.ts';
import { catalogueOf } from '../../web/src/editor/drawing/model.ts';
import { blockingConditionWords } from '../../web/src/format/blocking-condition-words.ts';
import type { NodeState } from '../../web/src/live/events.ts';

const catalogue = catalogueOf(
  JSON.parse(JSON.stringify({ types: describeCatalogue(), notes: [] })) as Parameters<typeof catalogueOf>[0],
);
const state = (value: NodeState['value'], distance?: number): NodeState => ({
  status: 'ok',
  value,
  updatedAt: 0,
  firedCount: 0,
  ...(distance !== undefined && { distance }),
});
const edge = (source: string, target: string, port: string) => ({
  id: `${source}-${target}-${port}`,
  source,
  target,
  targetHandle: port,
});
const drawing = (op: string) =>
  parseGraph({
    nodes: [
      { id: 'fast', type: 'indicator', data: { label: 'EMA 9' } },
      { id: 'slow', type: 'indicator', data: { label: 'EMA 21' } },
      { id: 'floor', type: 'constant', data: { config: { value: 70_000 } } },
      { id: 'above', type: 'compare', data: { config: { op: 'gt' } } },
      { id: 'high', type: 'compare', data: { config: { op: 'gt' } } },
      { id: 'both', type: 'logic', data: { config: { op } } },
      { id: 'buy', type: 'order', data: { label: 'Buy', config: { side: 'buy' } } },
    ],
    edges: [
      edge('fast', 'above', 'a'),
      edge('slow', 'above', 'b'),
      edge('fast', 'high', 'a'),
      edge('floor', 'high', 'b'),
      edge('above', 'both', 'in'),
      edge('high', 'both', 'in'),
      edge('both', 'buy', 'when'),
    ],
  });
const states = {
  fast: state(74_970),
  slow: state(75_000),
  floor: state(70_000),
  above: state(false, 30),
  high: state(true, 4_970),
  both: state(false),
};

test('an action on a schedule says when it is due', () => {
  const graph = parseGraph({
    nodes: [
      { id: 'minute', type: 'schedule', data: {} },
      { id: 'buy', type: 'order', data: { label: 'Buy' } },
    ],
    edges: [edge('minute', 'buy', 'when')],
  });
  const minute = { ...state(false, 33.5), updatedAt: Date.now() };
  const [next] = blockingConditions(graph, catalogue, { minute });
  expect(next && blockingConditionWords(next)).toMatch(/^Buy in 3[23] s$/);
});

test('the next step names the unmet condition, its comparison, and its distance', () => {
  const [next] = blockingConditions(drawing('and'), catalogue, states);
  expect(next && blockingConditionWords(next)).toBe('Buy if EMA 9 > EMA 21, 0.040% away');
  const met = blockingConditions(drawing('and'), catalogue, { ...states, above: state(true, 30) })[0];
  expect(met && blockingConditionWords(met)).toBe('Buy: EMA 9 > EMA 21 holds');
});

test('conditions combined by a gate other than `and` count as one, without a distance', () => {
  const [next] = blockingConditions(drawing('or'), catalogue, states);
  expect(next).toMatchObject({ away: null, isMet: false });
  expect(next && blockingConditionWords(next)).toBe('Buy if Logic');
});

import { expect, test } from 'vitest';
import { labelsOfGraph } from '../../../../engine/strategy/graph/compile/labels-of-graph.ts';

test('nodes with labels of their own are listed, a node of a list with each instrument; nothing else is', () => {
  const ask = { symbol: { parameter: 'coins' }, field: 'ask' };
  const nodes = [
    { id: 'ask', type: 'crypto.price', data: { label: 'Ask', config: ask } },
    { id: 'plain', type: 'constant', data: { config: { value: 1 } } },
    { id: 'one', type: 'constant', data: { label: ' One ', config: { value: 1 } } },
    { id: 'words', type: 'note', data: { label: 'A note' } },
  ];
  const parameters = { coins: { value: ['BTCUSDT', 'ETHUSDT'] } };
  expect(labelsOfGraph({ nodes, edges: [], parameters })).toEqual([
    { nodeId: 'ask/BTCUSDT', label: 'Ask/BTCUSDT' },
    { nodeId: 'ask/ETHUSDT', label: 'Ask/ETHUSDT' },
    { nodeId: 'one', label: 'One' },
  ]);
  for (const none of [null, 'text', { nodes: 7 }, []]) expect(labelsOfGraph(none)).toEqual([]);
});

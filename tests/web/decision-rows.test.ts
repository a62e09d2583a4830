import { describe, expect, test } from 'vitest';
import { decisionRows } from '../../web/src/format/trading/decision-rows.ts';
import { limitWords, nodeNameOf, notionalOf, originWords } from '../../web/src/format/trading/order.ts';

const nodeLabels = [{ nodeId: 'above', label: 'Price above 60' }];

describe('the values that led to an order', () => {
  test('are rows of node, value and time in their order; a constant has no time', () => {
    const inputs = [
      { nodeId: 'exit', name: 'averageCost', value: '81000.5', asOf: 3 },
      { nodeId: 'exit', name: 'openedAt', value: 1_000, asOf: 3 },
      { nodeId: 'above', name: 'out', value: true, asOf: 2 },
      { nodeId: 'level', name: 'out', value: 60, asOf: null },
      { nodeId: 'slow', name: 'out', value: null, asOf: null },
    ];
    expect(decisionRows({ nodeLabels, inputs: { inputs } })).toEqual([
      { node: 'exit', fact: 'average cost', value: '81000.5', asOfMs: 3 },
      { node: 'exit', fact: 'held since', value: { instantMs: 1_000 }, asOfMs: 3 },
      { node: 'Price above 60', fact: null, value: 'true', asOfMs: 2 },
      { node: 'level', fact: null, value: '60', asOfMs: null },
      { node: 'slow', fact: null, value: '—', asOfMs: null },
    ]);
  });

  test('leave out inputs of another form, and keep the name of an unknown fact', () => {
    const inputs = [7, null, { nodeId: 'a' }, { nodeId: 'a', name: 'toString', value: 1 }];
    expect(decisionRows({ nodeLabels, inputs: { inputs } })).toEqual([
      { node: 'a', fact: 'toString', value: '1', asOfMs: null },
    ]);
    expect(decisionRows({ nodeLabels, inputs: null })).toEqual([]);
  });
});

test('a node has the label of its release, else its id', () => {
  expect([nodeNameOf({ nodeLabels }, 'above'), nodeNameOf({ nodeLabels }, 'level')]).toEqual([
    'Price above 60',
    'level',
  ]);
  expect(nodeNameOf({}, 'above')).toBe('above');
  const origin = { blueprintId: 'b', blueprintName: 'First trades', nodeId: 'buy_more' };
  expect(originWords({ ...origin, nodeLabel: 'Buy 60 USD' })).toBe('First trades · Buy 60 USD');
  expect(originWords({ ...origin, nodeLabel: null })).toBe('First trades · buy_more');
});

test('the notional is the checked one until an order has ended, then that of its fills', () => {
  const filled = { size: 19.62, filledAmount: 0.5, averagePrice: 39.04 };
  expect(notionalOf(filled, false)).toBe(19.62);
  expect(notionalOf(filled, true)).toBe(19.52);
  expect(notionalOf({ ...filled, filledAmount: 0, averagePrice: null }, true)).toBe(19.62);
});

test('a market order has a price cap or floor, no limit', () => {
  const words = (['market', 'limit'] as const).flatMap((type) =>
    (['buy', 'sell'] as const).map((side) => limitWords({ type, side })),
  );
  expect(words).toEqual(['Price cap', 'Price floor', 'Limit', 'Limit']);
});

import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

export const probabilityEdge: Template = {
  key: 'probability-edge',
  name: 'Probability edge',
  summary:
    'Compares your own probability of an outcome on venue A with its ask, and buys a quarter of the Kelly stake when the edge after fees has been above 3 cents for ten seconds.',
  visual: ({ outcomeA }) =>
    templateGraph('Set “My probability” to your own estimate. What counts is the edge after the fee.', {
      fair: { type: 'constant', label: 'My probability', at: [0, 0], config: { value: 0.6 } },
      ask: {
        type: 'market.price',
        label: 'Ask',
        at: [0, 1],
        config: { instrument: outcomeA, field: 'ask', maxAgeSec: 15 },
      },
      left: {
        type: 'market.info',
        label: 'Seconds to close',
        at: [0, 2],
        config: { instrument: outcomeA, field: 'secondsToClose' },
      },
      edge: {
        type: 'probability.edge',
        label: 'Edge after fees',
        at: [1, 0],
        config: { feeRate: 0.07 },
        inputs: { fair: 'fair', price: 'ask' },
      },
      needed: { type: 'constant', label: '3 cents', at: [1, 1], config: { value: 0.03 } },
      hour: { type: 'constant', label: 'One hour', at: [1, 2], config: { value: 3600 } },
      cheap: {
        type: 'compare',
        label: 'Cheap enough',
        at: [2, 0],
        config: { op: 'gt', hysteresis: 0.01 },
        inputs: { a: 'edge', b: 'needed' },
      },
      early: {
        type: 'compare',
        label: 'Early enough',
        at: [2, 2],
        config: { op: 'gt' },
        inputs: { a: 'left', b: 'hour' },
      },
      lasting: {
        type: 'hold',
        label: 'For 10 s',
        at: [3, 0],
        config: { seconds: 10 },
        inputs: { in: 'cheap' },
      },
      both: {
        type: 'logic',
        label: 'Both',
        at: [4, 0],
        config: { op: 'and' },
        inputs: { in: ['lasting', 'early'] },
      },
      guard: {
        type: 'guard',
        label: 'Market is fit',
        at: [5, 0],
        config: { instrument: outcomeA, maxSpread: 0.05, maxPosition: 200, maxAgeSec: 15 },
        inputs: { in: 'both' },
      },
      size: {
        type: 'size',
        label: 'Quarter Kelly',
        at: [5, 1],
        config: { mode: 'kelly', fraction: 0.25, capByHeadroom: true },
        inputs: { fair: 'fair', price: 'ask' },
      },
      buy: {
        type: 'order',
        label: 'Buy at the ask',
        at: [6, 0],
        config: { instrument: outcomeA, side: 'buy', type: 'limit', timeInForce: 'ioc' },
        inputs: { when: 'guard', amount: 'size', price: 'ask' },
      },
      exit: {
        type: 'exit',
        label: 'Cut the loss, leave before the close',
        at: [6, 1],
        config: { instrument: outcomeA, stopLoss: 0.4, takeProfit: 0.5, beforeCloseSec: 600 },
      },
    }),
};

import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

export const dipBuyer: Template = {
  key: 'dip-buyer',
  name: 'Dip buyer',
  summary:
    'Samples a token of venue B every 20 seconds and buys for 20 USD when it is 8 % below its highest of the last ten minutes; takes 10 % of profit or 15 % of loss.',
  visual: ({ outcomeB }) =>
    templateGraph('A sudden fall without news often comes back. Small size, quick exit.', {
      mid: {
        type: 'market.price',
        label: 'Middle price',
        at: [0, 0],
        config: { instrument: outcomeB, field: 'mid' },
      },
      highest: {
        type: 'indicator',
        label: 'Highest of 10 min',
        at: [1, 0],
        config: { kind: 'highest', period: 30, sampleSec: 20 },
        inputs: { in: 'mid' },
      },
      part: { type: 'constant', label: '8 % below', at: [1, 1], config: { value: 0.92 } },
      level: {
        type: 'math',
        label: 'Level to buy at',
        at: [2, 0],
        config: { op: 'multiply' },
        inputs: { in: ['highest', 'part'] },
      },
      dip: {
        type: 'compare',
        label: 'Has dipped',
        at: [3, 0],
        config: { op: 'lt' },
        inputs: { a: 'mid', b: 'level' },
      },
      pause: {
        type: 'cooldown',
        label: 'Twice a day at most',
        at: [4, 0],
        config: { seconds: 1800, maxCount: 2, windowSec: 86400 },
        inputs: { in: 'dip' },
      },
      guard: {
        type: 'guard',
        label: 'Market is fit',
        at: [5, 0],
        config: { instrument: outcomeB, maxSpread: 0.04, minDepth: 50 },
        inputs: { in: 'pause' },
      },
      ask: { type: 'market.price', label: 'Ask', at: [4, 1], config: { instrument: outcomeB, field: 'ask' } },
      size: {
        type: 'size',
        label: '20 USD',
        at: [5, 1],
        config: { mode: 'notional', notional: 20, capByHeadroom: true },
        inputs: { price: 'ask' },
      },
      buy: {
        type: 'order',
        label: 'Buy the dip',
        at: [6, 0],
        config: { instrument: outcomeB, side: 'buy', type: 'market', slippageCap: 0.01 },
        inputs: { when: 'guard', amount: 'size' },
      },
      exit: {
        type: 'exit',
        label: 'Profit, loss, time',
        at: [6, 1],
        config: { instrument: outcomeB, takeProfit: 0.1, stopLoss: 0.15, maxHoldSec: 21600 },
      },
      say: {
        type: 'notify',
        label: 'Tell me',
        at: [6, 2],
        config: { text: 'The token dipped to {mid}; its highest of ten minutes was {highest}.' },
        inputs: { when: 'dip' },
      },
    }),
};

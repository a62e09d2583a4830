import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

/** The example that runs in a new account from its first minute: small, on paper, and soon at its limit. */
export const SAMPLE_BLUEPRINT: Template = {
  key: 'sample',
  name: 'Sample: small steps',
  summary:
    'Every 30 seconds it buys for 20 USD until it holds 0.001 of the coin, and sells on a small profit or loss.',
  visual: ({ crypto }) =>
    templateGraph(
      'Buys for 20 USD every 30 seconds until it holds enough, and sells all on a small profit or loss.',
      {
        beat: {
          type: 'schedule',
          label: 'Every 30 s',
          at: [0, 0],
          config: { mode: 'every', everySec: 30 },
        },
        ask: {
          type: 'crypto.price',
          label: 'Price to buy at',
          at: [0, 1],
          config: { symbol: crypto, field: 'ask' },
        },
        enough: {
          type: 'guard',
          label: 'Not enough yet',
          at: [1, 0],
          config: { instrument: crypto, maxPosition: 0.001 },
          inputs: { in: 'beat' },
        },
        sum: {
          type: 'size',
          label: '20 USD',
          at: [1, 1],
          config: { mode: 'notional', notional: 20 },
          inputs: { price: 'ask' },
        },
        buy: {
          type: 'order',
          label: 'Buy',
          at: [2, 0],
          config: { instrument: crypto, side: 'buy', type: 'market' },
          inputs: { when: 'enough', amount: 'sum' },
        },
        leave: {
          type: 'exit',
          label: 'Sell again',
          at: [2, 1],
          config: { instrument: crypto, takeProfit: 0.004, stopLoss: 0.01 },
        },
      },
    ),
};

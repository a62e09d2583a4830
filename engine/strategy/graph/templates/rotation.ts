import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

const EACH = { parameter: 'coins' };

export const rotation: Template = {
  key: 'rotation',
  name: 'Rotation of coins',
  summary:
    'Holds the one of four coins that has gained most in 24 hours: buys for 25 USD when a coin takes the lead, sells it when another one does, or 8 % below its peak.',
  visual: ({ coins }) =>
    templateGraph(
      'Every node whose setting is the list “coins” runs once for each of them. “Strongest” compares them.',
      {
        close: {
          type: 'crypto.candle',
          label: 'Close, 1 h',
          at: [0, 0],
          config: { symbol: EACH, interval: '1h', field: 'close' },
        },
        momentum: {
          type: 'indicator',
          label: 'Change in 24 h',
          at: [1, 0],
          config: { kind: 'change', period: 24 },
          inputs: { in: 'close' },
        },
        best: {
          type: 'top',
          label: 'Strongest',
          at: [2, 0],
          config: { k: 1, from: 'highest' },
          inputs: { in: 'momentum' },
        },
        guard: {
          type: 'guard',
          label: 'Open market',
          at: [3, 0],
          config: { instrument: EACH, maxAgeSec: 15 },
          inputs: { in: 'best' },
        },
        ask: { type: 'crypto.price', label: 'Ask', at: [2, 2], config: { symbol: EACH, field: 'ask' } },
        size: {
          type: 'size',
          label: '25 USD',
          at: [3, 2],
          config: { mode: 'notional', notional: 25, capByHeadroom: true },
          inputs: { price: 'ask' },
        },
        buy: {
          type: 'order',
          label: 'Buy the strongest',
          at: [4, 0],
          config: { instrument: EACH, side: 'buy', type: 'market' },
          inputs: { when: 'guard', amount: 'size' },
        },
        behind: {
          type: 'logic',
          label: 'No longer strongest',
          at: [3, 1],
          config: { op: 'not' },
          inputs: { a: 'best' },
        },
        sell: {
          type: 'close',
          label: 'Sell what fell behind',
          at: [4, 1],
          config: { instrument: EACH },
          inputs: { when: 'behind' },
        },
        exit: {
          type: 'exit',
          label: 'Trailing stop',
          at: [4, 2],
          config: { instrument: EACH, trailing: 0.08 },
        },
      },
      { coins: { value: [...coins], help: 'The coins to choose from.' } },
    ),
};

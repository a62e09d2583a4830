import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

export const momentum: Template = {
  key: 'momentum',
  name: 'Momentum on candles',
  summary:
    'Buys when the fast average of closed five-minute candles crosses above the slow one, at most once an hour; sells on a fall from the peak, at a loss limit, or when the averages cross back.',
  visual: ({ crypto }) =>
    templateGraph(
      'Buy strength, sell weakness: two averages on closed candles. An exit guards every position.',
      {
        close: {
          type: 'crypto.candle',
          label: 'Close, 5 min',
          at: [0, 0],
          config: { symbol: crypto, interval: '5m', field: 'close' },
        },
        fast: {
          type: 'indicator',
          label: 'Fast average',
          at: [1, 0],
          config: { kind: 'ema', period: 9 },
          inputs: { in: 'close' },
        },
        slow: {
          type: 'indicator',
          label: 'Slow average',
          at: [1, 1],
          config: { kind: 'ema', period: 21 },
          inputs: { in: 'close' },
        },
        up: {
          type: 'compare',
          label: 'Crosses above',
          at: [2, 0],
          config: { op: 'crossesAbove' },
          inputs: { a: 'fast', b: 'slow' },
        },
        down: {
          type: 'compare',
          label: 'Crosses below',
          at: [2, 1],
          config: { op: 'crossesBelow' },
          inputs: { a: 'fast', b: 'slow' },
        },
        hourly: {
          type: 'cooldown',
          label: 'At most hourly',
          at: [3, 0],
          config: { seconds: 3600 },
          inputs: { in: 'up' },
        },
        guard: {
          type: 'guard',
          label: 'Market is fit',
          at: [4, 0],
          config: { instrument: crypto, maxSpread: 50 },
          inputs: { in: 'hourly' },
        },
        price: { type: 'crypto.price', label: 'Ask', at: [3, 2], config: { symbol: crypto, field: 'ask' } },
        size: {
          type: 'size',
          label: '40 USD',
          at: [4, 2],
          config: { mode: 'notional', notional: 40, capByHeadroom: true },
          inputs: { price: 'price' },
        },
        buy: {
          type: 'order',
          label: 'Buy',
          at: [5, 0],
          config: { instrument: crypto, side: 'buy', type: 'market', ifTrueAtDeploy: 'wait' },
          inputs: { when: 'guard', amount: 'size' },
        },
        close_out: {
          type: 'close',
          label: 'Sell on the cross back',
          at: [5, 1],
          config: { instrument: crypto },
          inputs: { when: 'down' },
        },
        exit: {
          type: 'exit',
          label: 'Trailing stop',
          at: [5, 2],
          config: { instrument: crypto, trailing: 0.02, stopLoss: 0.03 },
        },
      },
    ),
};

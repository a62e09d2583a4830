import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

export const meanReversion: Template = {
  key: 'mean-reversion',
  name: 'Mean reversion by RSI',
  summary:
    'Buys when the RSI of closed one-minute candles falls below 30 and sells once it is back above 55; a stop loss and a time limit bound the wait.',
  visual: ({ crypto }) =>
    templateGraph('Buy what fell too fast, sell when it has calmed down.', {
      close: {
        type: 'crypto.candle',
        label: 'Close, 1 min',
        at: [0, 0],
        config: { symbol: crypto, interval: '1m', field: 'close' },
      },
      rsi: {
        type: 'indicator',
        label: 'RSI 14',
        at: [1, 0],
        config: { kind: 'rsi', period: 14 },
        inputs: { in: 'close' },
      },
      thirty: { type: 'constant', label: '30', at: [1, 1], config: { value: 30 } },
      fiftyFive: { type: 'constant', label: '55', at: [1, 2], config: { value: 55 } },
      oversold: {
        type: 'compare',
        label: 'Oversold',
        at: [2, 0],
        config: { op: 'lt', hysteresis: 5 },
        inputs: { a: 'rsi', b: 'thirty' },
      },
      calm: {
        type: 'compare',
        label: 'Calm again',
        at: [2, 1],
        config: { op: 'gt' },
        inputs: { a: 'rsi', b: 'fiftyFive' },
      },
      guard: {
        type: 'guard',
        label: 'One position at a time',
        at: [3, 0],
        config: { instrument: crypto, maxSpread: 50, maxPosition: 0.0001 },
        inputs: { in: 'oversold' },
      },
      price: { type: 'crypto.price', label: 'Ask', at: [2, 3], config: { symbol: crypto, field: 'ask' } },
      size: {
        type: 'size',
        label: '40 USD',
        at: [3, 3],
        config: { mode: 'notional', notional: 40, capByHeadroom: true },
        inputs: { price: 'price' },
      },
      buy: {
        type: 'order',
        label: 'Buy the fall',
        at: [4, 0],
        config: { instrument: crypto, side: 'buy', type: 'market' },
        inputs: { when: 'guard', amount: 'size' },
      },
      sell: {
        type: 'close',
        label: 'Sell the recovery',
        at: [4, 1],
        config: { instrument: crypto },
        inputs: { when: 'calm' },
      },
      exit: {
        type: 'exit',
        label: 'Stop and time limit',
        at: [4, 2],
        config: { instrument: crypto, stopLoss: 0.02, maxHoldSec: 14400 },
      },
    }),
};

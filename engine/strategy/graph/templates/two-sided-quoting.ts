import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

export const twoSidedQuoting: Template = {
  key: 'two-sided-quoting',
  name: 'Two-sided quoting',
  summary:
    'Bids 2 cents below the middle of an outcome on venue A and offers 2 cents above it what it bought; both follow the price, up to 50 contracts, and leave before the close.',
  visual: ({ outcomeA }) =>
    templateGraph(
      'It earns the distance of both prices when the market moves to and fro, and loses when it moves one way.',
      {
        mid: {
          type: 'market.price',
          label: 'Middle',
          at: [0, 0],
          config: { instrument: outcomeA, field: 'mid', maxAgeSec: 15 },
        },
        apart: { type: 'constant', label: '2 cents', at: [0, 1], config: { value: 0.02 } },
        left: {
          type: 'market.info',
          label: 'Seconds to close',
          at: [0, 2],
          config: { instrument: outcomeA, field: 'secondsToClose' },
        },
        held: {
          type: 'position',
          label: 'Contracts held',
          at: [0, 3],
          config: { instrument: outcomeA, field: 'amount' },
        },
        below: {
          type: 'math',
          label: 'Below the middle',
          at: [1, 0],
          config: { op: 'subtract' },
          inputs: { a: 'mid', b: 'apart' },
        },
        above: {
          type: 'math',
          label: 'Above the middle',
          at: [1, 1],
          config: { op: 'add' },
          inputs: { in: ['mid', 'apart'] },
        },
        hour: { type: 'constant', label: 'One hour', at: [1, 2], config: { value: 3600 } },
        most: { type: 'constant', label: '40 contracts', at: [1, 3], config: { value: 40 } },
        none: { type: 'constant', label: 'None', at: [1, 4], config: { value: 0 } },
        early: {
          type: 'compare',
          label: 'Early enough',
          at: [2, 2],
          config: { op: 'gt' },
          inputs: { a: 'left', b: 'hour' },
        },
        room: {
          type: 'compare',
          label: 'Room for ten more',
          at: [2, 3],
          config: { op: 'lte' },
          inputs: { a: 'held', b: 'most' },
        },
        some: {
          type: 'compare',
          label: 'Something held',
          at: [2, 4],
          config: { op: 'gt' },
          inputs: { a: 'held', b: 'none' },
        },
        guard: {
          type: 'guard',
          label: 'Market is fit',
          at: [3, 2],
          config: { instrument: outcomeA, maxSpread: 0.06, maxAgeSec: 15 },
          inputs: { in: 'early' },
        },
        bids: {
          type: 'logic',
          label: 'May bid',
          at: [4, 1],
          config: { op: 'and' },
          inputs: { in: ['guard', 'room'] },
        },
        offers: {
          type: 'logic',
          label: 'May offer',
          at: [4, 3],
          config: { op: 'and' },
          inputs: { in: ['guard', 'some'] },
        },
        units: { type: 'constant', label: '10 contracts', at: [4, 0], config: { value: 10 } },
        bid: {
          type: 'quote',
          label: 'Bid',
          at: [5, 0],
          config: { instrument: outcomeA, side: 'buy', afterFill: 'repeat' },
          inputs: { when: 'bids', amount: 'units', price: 'below' },
        },
        offer: {
          type: 'quote',
          label: 'Offer',
          at: [5, 2],
          config: { instrument: outcomeA, side: 'sell', afterFill: 'repeat' },
          inputs: { when: 'offers', amount: 'units', price: 'above' },
        },
        exit: {
          type: 'exit',
          label: 'Cut the loss, leave before the close',
          at: [5, 3],
          config: { instrument: outcomeA, stopLoss: 0.3, beforeCloseSec: 1800 },
        },
      },
    ),
};

import { z } from 'zod';
import type { Value } from '../types.ts';
import { finite, unknown } from '../values.ts';
import { defineNode, input, output } from './node.ts';

const OUTSIDE = unknown('out_of_range', 'A probability and the price of an outcome lie between 0 and 1.');

export const probabilityEdge = defineNode({
  type: 'probability.edge',
  group: 'transform',
  title: 'Probability edge',
  help: 'What one contract is worth by your own estimate, minus what it costs: fair − price − fee, in USD per contract.',
  phrase: (fee, { one, atFee }) => `the edge of ${one('fair')} over ${one('price')}${atFee(fee)}`,
  laws: {
    unknown: 'While an input is, or lies outside 0 to 1.',
  },
  inputs: [
    input('fair', 'number', 'Your probability of the outcome, 0 to 1.'),
    input('price', 'number', 'What a contract costs now, usually the ask.'),
  ],
  outputs: [output('number', 'Expected gain per contract after the fee; above 0 the contract is cheap.')],
  config: z.strictObject({
    feeRate: z.number().min(0).max(1).default(0.07).meta({
      description:
        'The venue’s taker rate: `takerRate` of the market’s `fees`. The fee of one contract is rate × (price × (1 − price))^exponent.',
    }),
    feeExponent: z.number().min(0).max(10).default(1).meta({
      description: 'The exponent of that formula: `exponent` of the market’s `fees`, 1 on venue A.',
    }),
  }),
  bind: ({ feeRate, feeExponent }) => ({
    isPure: true,
    build(wiring) {
      const fairSlot = wiring.input('fair');
      const priceSlot = wiring.input('price');
      return {
        compute(run) {
          const fair = run.values[fairSlot] as Value;
          if (typeof fair !== 'number') return fair;
          const price = run.values[priceSlot] as Value;
          if (typeof price !== 'number') return price;
          if (fair < 0 || fair > 1 || price < 0 || price > 1) return OUTSIDE;
          return finite(fair - price - feeRate * (price * (1 - price)) ** feeExponent);
        },
      };
    },
  }),
});

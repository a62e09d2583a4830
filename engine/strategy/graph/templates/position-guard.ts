import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

export const positionGuard: Template = {
  key: 'position-guard',
  name: 'Take profit and stop loss',
  summary:
    'Buys nothing: guards what this blueprint already holds with a profit target, a stop loss and a trailing stop, and warns before the stop is reached.',
  visual: ({ crypto }) =>
    templateGraph('Add this exit to any blueprint that buys. A blueprint guards its own positions only.', {
      gain: {
        type: 'position',
        label: 'Gain',
        at: [0, 0],
        config: { instrument: crypto, field: 'unrealizedPct' },
      },
      floor: { type: 'constant', label: '−3 %', at: [0, 1], config: { value: -0.03 } },
      low: {
        type: 'compare',
        label: 'Close to the stop',
        at: [1, 0],
        config: { op: 'lt', hysteresis: 0.01 },
        inputs: { a: 'gain', b: 'floor' },
      },
      warn: {
        type: 'notify',
        label: 'Warn me',
        at: [2, 0],
        config: { text: 'The position stands at {gain} of its cost; the stop is at −5 %.' },
        inputs: { when: 'low' },
      },
      exit: {
        type: 'exit',
        label: 'Profit, stop, trailing',
        at: [2, 1],
        config: { instrument: crypto, takeProfit: 0.1, stopLoss: 0.05, trailing: 0.04 },
      },
    }),
};

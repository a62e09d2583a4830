import type { Template } from './template.ts';
import { templateGraph } from './template-graph.ts';

export const accumulation: Template = {
  key: 'accumulation',
  name: 'Scheduled accumulation',
  summary:
    'Buys for 25 USD every hour during the European and American day, at a quiet market and up to a limit; a wide stop loss is the emergency brake.',
  visual: ({ crypto }) =>
    templateGraph('The same sum at regular times: more units when the price is low, fewer when it is high.', {
      beat: { type: 'schedule', label: 'Every hour', at: [0, 0], config: { mode: 'every', everySec: 3600 } },
      hours: {
        type: 'schedule',
        label: '07:00 to 21:00 UTC',
        at: [0, 1],
        config: { mode: 'daily', from: '07:00', to: '21:00' },
      },
      now: {
        type: 'logic',
        label: 'Beat of the day',
        at: [1, 0],
        config: { op: 'and' },
        inputs: { in: ['beat', 'hours'] },
      },
      guard: {
        type: 'guard',
        label: 'Quiet, and below the limit',
        at: [2, 0],
        config: { instrument: crypto, maxSpread: 25, maxPosition: 0.05 },
        inputs: { in: 'now' },
      },
      ask: { type: 'crypto.price', label: 'Ask', at: [1, 1], config: { symbol: crypto, field: 'ask' } },
      size: {
        type: 'size',
        label: '25 USD',
        at: [2, 1],
        config: { mode: 'notional', notional: 25, capByHeadroom: true },
        inputs: { price: 'ask' },
      },
      buy: {
        type: 'order',
        label: 'Buy',
        at: [3, 0],
        config: { instrument: crypto, side: 'buy', type: 'market' },
        inputs: { when: 'guard', amount: 'size' },
      },
      exit: {
        type: 'exit',
        label: 'Emergency brake',
        at: [3, 1],
        config: { instrument: crypto, stopLoss: 0.3 },
      },
    }),
};

import { z } from 'zod';
import type { NodeOrder, Value } from '../types.ts';
import { finite, unknown } from '../values.ts';
import { ordersOfNode } from './actions/filled-output.ts';
import { defineNode, input, type NodeIssue, output } from './node.ts';
import { CATCHING_UP } from './quote-readers.ts';

const NUMBERS = ['filledAmount', 'averagePrice', 'fees'] as const;
const CONDITIONS = ['live', 'filled', 'refused'] as const;
type Field = (typeof NUMBERS)[number] | (typeof CONDITIONS)[number];

/** Final statuses of an order refused by a rule, a person or its venue. */
const REFUSED: ReadonlySet<string> = new Set(['denied', 'declined', 'rejected']);

const NO_ORDER = unknown('no_data', 'No order of this step has been raised since the deploy.');
const NOT_FILLED = unknown('no_data', 'Nothing of the last order of this step has been filled.');

export const orderResultNode = defineNode({
  type: 'order.result',
  group: 'source',
  title: 'Order result',
  help: 'The state of the newest order of an action since the deploy, the live one first: how much of it was filled, at which price and fee, and whether it is live, filled or refused.',
  phrase: ({ field }, { text }) => PHRASES[text(field)] ?? '',
  laws: {
    unknown:
      'Before the first order; the average price before the first fill; while missed candles are stepped.',
  },
  inputs: [input('of', 'boolean', 'The output of the order, quote, leg, close, target or exit.')],
  outputs: [
    output('number', 'The number chosen by `field`.', { setting: 'field', in: NUMBERS }),
    output('boolean', 'Whether it is so.', { setting: 'field', in: CONDITIONS }),
  ],
  config: z.strictObject({
    field: z.enum([...NUMBERS, ...CONDITIONS]).meta({
      description:
        'filledAmount: units. averagePrice: USD per unit. fees: USD. live: it is on its way or rests. filled: it ended with all of it filled. refused: a rule, a person or the venue refused it.',
    }),
  }),
  bind: ({ field }) => ({
    moves: 'tick',
    object: (view) => objectionTo(view('of')?.isAction),
    build(wiring) {
      const slot = wiring.input('of');
      const read = READERS[field];
      return {
        compute(run) {
          if (!run.isLive) return CATCHING_UP;
          const { live, last } = ordersOfNode(run, run.plan.nodeIds[slot] ?? '');
          const newest = live ?? last;
          return newest === null ? NO_ORDER : read(newest, live !== null);
        },
        asOf: (run) => run.now,
      };
    },
  }),
});

const READERS: Readonly<Record<Field, (order: NodeOrder, isLive: boolean) => Value>> = {
  filledAmount: ({ filledAmount }) => Number(filledAmount),
  averagePrice: ({ filledAmount, filledNotional }) =>
    Number(filledAmount) > 0 ? finite(Number(filledNotional) / Number(filledAmount)) : NOT_FILLED,
  fees: ({ fees }) => Number(fees),
  live: (_, isLive) => isLive,
  filled: ({ status }) => status === 'filled',
  refused: ({ status }) => REFUSED.has(status),
};

function objectionTo(isAction: boolean | undefined): NodeIssue[] {
  if (isAction !== false) return [];
  const message =
    'Connect the output of an order, a quote, a leg, a close, a target or an exit: only those have orders.';
  return [{ code: 'not_an_action', message }];
}

const PHRASES: Readonly<Record<string, string>> = {
  filledAmount: 'the filled amount of its last order',
  averagePrice: 'the average price of its last order',
  fees: 'the fees of its last order',
  live: 'its order is live',
  filled: 'its last order is filled',
  refused: 'its last order was refused',
};

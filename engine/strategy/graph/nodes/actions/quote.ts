/** Keeps one limit order at a price while a condition holds, as `keep-order.ts` says. */
import { z } from 'zod';
import { exact } from '../../../../platform/decimal.ts';
import type { Run } from '../../run/run.ts';
import type { Reason, Value } from '../../types.ts';
import { reason } from '../../values.ts';
import { type Configured, defineNode, input, output, type Wiring } from '../node.ts';
import { instrument, seconds } from '../shared-settings.ts';
import { ordersOfNode } from './filled-output.ts';
import { keepOrder, keptOutputOf } from './keep-order.ts';
import { hasRound, memoryOn, type QuoteMemory, withFills } from './quote-round.ts';

const settings = z
  .strictObject({
    instrument: instrument(),
    side: z.enum(['buy', 'sell']).meta({ description: 'Sells never exceed what this blueprint holds.' }),
    refreshAboveTicks: z.int().min(0).max(100_000).default(1).meta({
      description: 'Replaces the order once the price is more than this many ticks away from it.',
    }),
    refreshMinSec: seconds(
      2,
      86_400,
      'Least seconds between two orders of this node: 30 is two a minute. The order rests meanwhile.',
    ).default(30),
    afterFill: z.enum(['stop', 'repeat']).default('stop').meta({
      description:
        'Once the amount is filled. stop: nothing until the condition turns false and true again. repeat: the amount is quoted again.',
    }),
    timeInForce: z.enum(['gtc', 'gtx']).default('gtc').meta({
      description:
        'gtc may take an offer at its price. gtx never does (post-only): an order that would is refused, and the next one follows a minute later.',
    }),
    oneCancelsOther: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .meta({
        description:
          'A name. Of the quotes of this blueprint with the same name, the first to fill anything cancels the others until its condition turns false. Two that fill at the same moment both trade, and then neither orders more. Quotes of a list are alternatives of one instrument each, not of each other.',
        examples: ['entry'],
      }),
  })
  .refine(({ afterFill, oneCancelsOther }) => afterFill === 'stop' || oneCancelsOther === undefined, {
    path: ['afterFill'],
    error: 'A quote that cancels others stops after its fill: use stop, or leave “oneCancelsOther” out.',
  });

const HOLDS = reason('triggered', 'Its condition holds.');
const OTHER_FILLED = reason(
  'other_filled',
  'Another quote of its `oneCancelsOther` has filled. It quotes again once the condition of that one was false.',
);

export const quote = defineNode({
  type: 'quote',
  group: 'action',
  title: 'Quote',
  help: 'Keeps one limit order at the price while the condition is true: cancels it when the condition is false or anything it needs is unknown, and replaces it when the price moves. The next order is raised only after the venue has confirmed the cancel. The amount is fixed when the condition turns true; fills count towards it.',
  phrase: () => 'a quote has been filled',
  sentence: (config, { name, needed, text, span }) => {
    const { side, afterFill, oneCancelsOther, refreshAboveTicks: ticks, refreshMinSec, timeInForce } = config;
    const verb = side === 'sell' ? 'an offer of' : 'a bid for';
    const moves = `moved at most every ${span(refreshMinSec, true)} once it is over ${text(ticks)} ${ticks === 1 ? 'tick' : 'ticks'} off`;
    const maker = timeInForce === 'gtx' ? ', without taking an offer' : '';
    const again = afterFill === 'repeat' ? ', again and again' : '';
    const other =
      oneCancelsOther === undefined ? '' : `, unless another order of “${text(oneCancelsOther)}” fills first`;
    return `Keeps ${verb} ${needed('amount')} of ${name} at ${needed('price')}, ${moves}, while ${needed('when')}${maker}${again}${other}`;
  },
  laws: {
    unknown:
      'It cancels its order while its condition, its price or the market is; what was filled still counts.',
    equality: 'A price that is just `refreshAboveTicks` away keeps the order.',
    gap: 'It goes by what is true now.',
  },
  inputs: [
    input('when', 'boolean', 'Quotes while this is true.'),
    input('amount', 'number', 'Units to fill while the condition holds; rounded down to the venue’s step.'),
    input('price', 'number', 'Limit price; rounded to the tick, never worse than requested.'),
  ],
  outputs: [output('boolean', 'True for one step after an order of this node ended with anything filled.')],
  trades: true,
  config: settings,
  bind: (config): Configured => ({
    moves: 'tick',
    trade: {
      tokenId: config.instrument,
      origin: 'order',
      side: config.side,
      refreshMinSec: config.refreshMinSec,
    },
    needs: {
      quote: config.instrument,
      instrument: config.instrument,
      ...(config.side === 'sell' ? { position: config.instrument } : {}),
    },
    build(wiring) {
      const readerOf = (port: string) => {
        const from = wiring.input(port);
        return (run: Run) => run.values[from] as Value;
      };
      const [when, amount, price] = [readerOf('when'), readerOf('amount'), readerOf('price')];
      const outputOf = keptOutputOf(wiring);
      const group = config.oneCancelsOther && `${config.oneCancelsOther}${wiring.copy}`;
      const on = `${config.side} ${config.instrument}`;
      return {
        compute(run) {
          const out = outputOf(run);
          const isFilling =
            group !== undefined && run.isLive && when(run) !== false && hasFills(run, wiring, on);
          if (isFilling) run.markFilled(group, wiring.slot);
          return out;
        },
        act: keepOrder(
          {
            ...config,
            origin: 'order',
            when,
            amount,
            price,
            why: HOLDS,
            against: (run) => otherFilled(run, group, wiring.slot),
          },
          wiring,
        ),
        asOf: (run) => run.now,
      };
    },
  }),
});

/** Whether anything of the round is filled, by the live order too. */
function hasFills(run: Run, { nodeId, slot }: Wiring, on: string): boolean {
  const { live, last, ended = last } = ordersOfNode(run, nodeId);
  const memory = memoryOn(run.recall<QuoteMemory>(slot) ?? {}, on);
  if (!hasRound(memory)) return false;
  return exact(withFills(memory, ended).got ?? 0)
    .plus(live?.filledAmount ?? 0)
    .gt(0);
}

function otherFilled(run: Run, group: string | undefined, slot: number): Reason | null {
  const filled = group === undefined ? undefined : run.filled.get(group);
  return filled !== undefined && [...filled].some((other) => other !== slot) ? OTHER_FILLED : null;
}

/** Takes a profit by a resting limit sell: the target of a bracket, whose stop is an `exit`. */
import { z } from 'zod';
import { exact } from '../../../../platform/decimal.ts';
import type { Run } from '../../run/run.ts';
import type { Value } from '../../types.ts';
import { reason, unknown } from '../../values.ts';
import { type Configured, defineNode, output } from '../node.ts';
import { shortName } from '../quote-readers.ts';
import { fraction, instrument } from '../shared-settings.ts';
import { ordersOfNode } from './filled-output.ts';
import { keepOrder, keptOutputOf } from './keep-order.ts';
import { boughtSince, memoryOn, type QuoteMemory } from './quote-round.ts';

/** A position that is bought in several fills moves the target: not after each of them. */
const REFRESH_MIN_SEC = 10;

const TARGET = reason('take_profit', 'The sell of its target.');

export const target = defineNode({
  type: 'target',
  group: 'action',
  title: 'Target',
  help: 'Keeps a limit sell of a part of the position at a profit while this blueprint holds one. An order that buys, targets, and an exit with a stop make a bracket: a stop that is reached cancels the targets first. Its sells need no approval: the deploy gave it.',
  phrase: () => 'a target has sold',
  sentence: ({ part, takeProfit }, { name, percent, share }) =>
    `Offers ${share(part)} of the ${name} it holds at a profit of ${percent(takeProfit)}`,
  laws: {
    unknown: 'It cancels its order while the market is; what was filled still counts.',
    gap: 'It goes by what is held now.',
  },
  outputs: [output('boolean', 'True for one step after an order of this node ended with anything filled.')],
  trades: true,
  config: z.strictObject({
    instrument: instrument(),
    takeProfit: z.number().positive().max(1_000).meta({
      description: 'Fraction above the average cost at which it sells: 0.2 is +20 %.',
    }),
    part: fraction(
      'Part of the position to sell there: of all that was bought since it was opened. 1 is all of it.',
    ).default(1),
  }),
  bind: ({ instrument: tokenId, takeProfit, part }): Configured => ({
    moves: 'tick',
    trade: { tokenId, origin: 'exit', side: 'sell', refreshMinSec: REFRESH_MIN_SEC },
    needs: { quote: tokenId, instrument: tokenId, position: tokenId },
    build(wiring) {
      const { nodeId, slot } = wiring;
      const flat = unknown('no_position', `This blueprint holds no ${shortName(tokenId)}.`);
      const heldOf = (run: Run) => run.world.positions.get(tokenId);
      return {
        compute: keptOutputOf(wiring),
        act: keepOrder(
          {
            instrument: tokenId,
            origin: 'exit',
            side: 'sell',
            refreshAboveTicks: 0,
            refreshMinSec: REFRESH_MIN_SEC,
            afterFill: 'stop',
            timeInForce: 'gtc',
            isFollowing: true,
            when: (run) => heldOf(run) !== undefined,
            price(run): Value {
              const held = heldOf(run);
              return held === undefined ? flat : Number(held.averageCost) * (1 + takeProfit);
            },
            amount(run): Value {
              const held = heldOf(run);
              if (held === undefined) return flat;
              const before = memoryOn(run.recall<QuoteMemory>(slot) ?? {}, `sell ${tokenId}`);
              const memory = boughtSince(before, held, ordersOfNode(run, nodeId).live);
              if (memory !== before) run.remember(slot, memory);
              return exact(memory.bought ?? 0)
                .times(part)
                .toNumber();
            },
            why: TARGET,
            facts: (run) =>
              Object.entries({ averageCost: heldOf(run)?.averageCost, held: heldOf(run)?.amount }).map(
                ([name, value = null]) => ({ nodeId, name, value, asOf: run.now }),
              ),
          },
          wiring,
        ),
        asOf: (run) => run.now,
      };
    },
  }),
});

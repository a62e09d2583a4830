import { ZERO } from '../../platform/decimal.ts';
import { largestOf, stakeOf } from '../exposure.ts';
import { atMost, defineRule } from '../rule.ts';

export const maxPositionSize = defineRule({
  name: 'maxPositionSize',
  title: 'Largest position',
  usageTitle: 'Largest at stake in one instrument',
  unit: 'USD',
  column: 'max_position_size',
  default: null,
  isWhole: false,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'At stake in one instrument: what is held at cost, and what buys of it may still cost.',
  description:
    'USD. At stake in one instrument: what is held at cost, and what buys of it may still cost with their fees. Null: off.',
  evaluate: ({ limit, account: { exposures }, intent }) =>
    atMost(limit, (exposures.get(intent.tokenId) ?? ZERO).plus(stakeOf(intent))),
  usage: ({ account: { exposures } }) => ({ used: largestOf(exposures) }),
  sentence: (limit, actual) =>
    `maxPositionSize is ${limit} USD, with this order ${actual} USD would be at stake in its instrument.`,
});

import { allAtStake, stakeOf } from '../exposure.ts';
import { atMost, defineRule } from '../rule.ts';

export const maxGrossExposure = defineRule({
  name: 'maxGrossExposure',
  title: 'Gross exposure',
  usageTitle: 'At stake in all',
  unit: 'USD',
  column: 'max_gross_exposure',
  default: null,
  isWhole: false,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'At stake in all instruments: what is held at cost, and what buys may still cost.',
  description:
    'USD. At stake in all instruments: what is held at cost, and what buys may still cost with their fees. Null: off.',
  evaluate: ({ limit, account, intent }) => atMost(limit, allAtStake(account).plus(stakeOf(intent))),
  usage: ({ account }) => ({ used: allAtStake(account) }),
  headroom: ({ limit, account }) => limit.minus(allAtStake(account)),
  sentence: (limit, actual) =>
    `maxGrossExposure is ${limit} USD, with this order ${actual} USD would be at stake.`,
});

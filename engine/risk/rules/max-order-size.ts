import { atMost, defineRule } from '../rule.ts';

export const maxOrderSize = defineRule({
  name: 'maxOrderSize',
  title: 'Largest order',
  unit: 'USD',
  column: 'max_order_size',
  default: '100',
  isWhole: false,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'A larger buy is denied. 0 allows exits only.',
  description: 'USD. A larger buy is denied; 0 allows exits only.',
  evaluate: ({ limit, intent }) => atMost(limit, intent.size),
  headroom: ({ limit }) => limit,
  sentence: (limit, actual) => `maxOrderSize is ${limit} USD, this order is ${actual} USD.`,
});

import { exact } from '../../platform/decimal.ts';
import { allOrNothing, atMost, type CheckInput, defineRule, type Finding } from '../rule.ts';

export const maxOrdersPerMinute = defineRule({
  name: 'maxOrdersPerMinute',
  title: 'Orders a minute',
  unit: 'orders',
  column: 'max_orders_per_minute',
  default: 10,
  isWhole: true,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'Buys cleared for sending in any 60 seconds. Sells never count.',
  description: 'Orders cleared for sending in any 60 seconds.',
  evaluate,
  usage: ({ account }) => ({ used: exact(account.queuedLastMinute) }),
  headroom: allOrNothing(evaluate),
  sentence: (limit, actual) =>
    `maxOrdersPerMinute is ${limit}, this order would be number ${actual} in 60 seconds.`,
});

function evaluate({ limit, account }: CheckInput): Finding {
  return atMost(limit, exact(account.queuedLastMinute + 1));
}

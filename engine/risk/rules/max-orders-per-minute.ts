import { exact } from '../../platform/decimal.ts';
import { allOrNothing, atMost, defineRule, type Finding, type Sight } from '../rule.ts';

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
  judge,
  usage: ({ account }) => ({ used: exact(account.queuedLastMinute) }),
  headroom: allOrNothing(judge),
  sentence: (limit, actual) =>
    `maxOrdersPerMinute is ${limit}, this order would be number ${actual} in 60 seconds.`,
});

function judge({ limit, account }: Sight): Finding {
  return atMost(limit, exact(account.queuedLastMinute + 1));
}

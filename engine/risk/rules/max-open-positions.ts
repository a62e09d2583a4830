import { exact } from '../../decimal.ts';
import { atMost, defineRule } from '../rule.ts';

export const maxOpenPositions = defineRule({
  name: 'maxOpenPositions',
  title: 'Open positions',
  unit: 'instruments',
  column: 'max_open_positions',
  default: 10,
  isWhole: true,
  looser: 'higher',
  appliesTo: 'buys',
  breach: 'deny',
  help: 'Distinct instruments held or being bought.',
  description: 'Distinct instruments held or being bought.',
  judge: ({ limit, account: { exposures }, intent }) =>
    atMost(limit, exact(exposures.size + (exposures.has(intent.tokenId) ? 0 : 1))),
  usage: ({ account }) => ({ used: exact(account.exposures.size) }),
  usageTitle: 'Held or being bought',
  sentence: (limit, actual) => `maxOpenPositions is ${limit}, with this order it would be ${actual}.`,
});

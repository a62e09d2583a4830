import { exact } from '../../platform/decimal.ts';
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
  evaluate: ({ limit, account: { exposures }, intent }) => {
    const dust = new Set(intent.live?.dust);
    const open = [...exposures.keys()].filter((tokenId) => !dust.has(tokenId) && tokenId !== intent.tokenId);
    return atMost(limit, exact(open.length + 1));
  },
  usage: ({ account: { exposures, dust } }) => ({ used: exact(exposures.size - (dust?.size ?? 0)) }),
  usageTitle: 'Held or being bought',
  sentence: (limit, actual) => `maxOpenPositions is ${limit}, with this order it would be ${actual}.`,
});

import type { Side } from '../../db/vocabulary.ts';
import type { Exact } from '../platform/decimal.ts';
import type { Aggregates } from './facts.ts';
import { atMost, type Check } from './rule.ts';

/** A check against what the account owns: its limit is no setting, and it judges one side only. */
type OwnedCheck = Check & { readonly side: Side; limitOf(account: Aggregates): Exact };

const buyingPower: OwnedCheck = {
  name: 'buyingPower',
  title: 'Free cash',
  usageTitle: 'Cash set aside',
  unit: 'USD',
  looser: 'higher',
  // What there is comes first: the line is named after that, not after what the order takes of it.
  phrase: '{limit}, needs {actual}',
  side: 'buy',
  limitOf: ({ freeCash }) => freeCash,
  judge: ({ limit, intent: { size, worstFee } }) => atMost(limit, size.plus(worstFee)),
  sentence: (limit, actual) =>
    `${limit} USD of cash are free, this order can cost ${actual} USD with its fee.`,
};

const heldAndFree: OwnedCheck = {
  name: 'heldAndFree',
  title: 'Held and free',
  unit: 'units',
  looser: 'higher',
  phrase: '{limit}, sells {actual}',
  side: 'sell',
  limitOf: (account) => account.heldAndFree,
  judge: ({ limit, intent }) => atMost(limit, intent.amount),
  sentence: (limit, actual) => `${limit} are held and free, this order would sell ${actual}.`,
};

/** What a receipt judges after the rules. */
export const OWNED: readonly OwnedCheck[] = [buyingPower, heldAndFree];

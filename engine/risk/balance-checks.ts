import type { Side } from '../../db/vocabulary.ts';
import type { Exact } from '../platform/decimal.ts';
import type { Aggregates } from './risk-inputs.ts';
import { atMost, type Check } from './rule.ts';

/** A check against what the account owns: its limit is not a setting, and it applies to one side only. */
type OwnedCheck = Check & { readonly side: Side; limitOf(account: Aggregates): Exact };

const buyingPower: OwnedCheck = {
  name: 'buyingPower',
  title: 'Free cash',
  usageTitle: 'Cash set aside',
  unit: 'USD',
  looser: 'higher',
  // The limit comes first: the line is named after what is available, not after what the order needs.
  phrase: '{limit}, needs {actual}',
  side: 'buy',
  limitOf: ({ freeCash }) => freeCash,
  evaluate: ({ limit, intent: { size, maxFee } }) => atMost(limit, size.plus(maxFee)),
  sentence: (limit, actual) => `Needs up to ${actual} USD including fees; ${limit} USD is available.`,
};

const heldAndFree: OwnedCheck = {
  name: 'heldAndFree',
  title: 'Held and free',
  unit: 'units',
  looser: 'higher',
  phrase: '{limit}, sells {actual}',
  side: 'sell',
  limitOf: (account) => account.heldAndFree,
  evaluate: ({ limit, intent }) => atMost(limit, intent.amount),
  sentence: (limit, actual) => `${limit} are held and free, this order would sell ${actual}.`,
};

/** Checks of a receipt that follow the rules. */
export const BALANCE_CHECKS: readonly OwnedCheck[] = [buyingPower, heldAndFree];

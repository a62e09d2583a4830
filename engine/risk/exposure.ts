import { Decimal, type Exact, ZERO } from '../decimal.ts';
import type { Aggregates, IntentFacts } from './facts.ts';

/** USD. The most a buy puts at stake: its notional, and the fee it can be charged. */
export const stakeOf = ({ size, worstFee }: Pick<IntentFacts, 'size' | 'worstFee'>): Exact =>
  size.plus(worstFee);

/** USD. The largest of what is at stake; 0 where nothing is. */
export const largestOf = (exposures: Aggregates['exposures']): Exact =>
  Decimal.max(ZERO, ...exposures.values());

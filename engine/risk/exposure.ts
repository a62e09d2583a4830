import { Decimal, type Exact, sumOf, ZERO } from '../platform/decimal.ts';
import type { Aggregates, IntentFacts } from './facts.ts';

/** USD. The most a buy puts at stake: its notional, and the fee it can be charged. */
export const stakeOf = ({ size, worstFee }: Pick<IntentFacts, 'size' | 'worstFee'>): Exact =>
  size.plus(worstFee);

/** USD at stake in all instruments. */
export const allAtStake = ({ exposures }: Pick<Aggregates, 'exposures'>): Exact =>
  sumOf([...exposures.values()]);

/** USD. The largest of what is at stake; 0 where nothing is. */
export const largestOf = (exposures: ReadonlyMap<unknown, Exact>): Exact =>
  Decimal.max(ZERO, ...exposures.values());

import { Exact, sumOf, ZERO } from '../platform/decimal.ts';
import type { Aggregates, OrderCost } from './risk-inputs.ts';

/** USD. The maximum a buy puts at stake: its notional plus its maximum fee. */
export const stakeOf = ({ size, maxFee }: OrderCost): Exact => size.plus(maxFee);

/** USD at stake in all instruments. */
export const allAtStake = ({ exposures }: Pick<Aggregates, 'exposures'>): Exact =>
  sumOf([...exposures.values()]);

/** USD. The largest exposure; 0 if there is none. */
export const largestOf = (exposures: ReadonlyMap<unknown, Exact>): Exact =>
  Exact.max(ZERO, ...exposures.values());

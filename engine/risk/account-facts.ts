import { Decimal, type Exact, ZERO } from '../decimal.ts';
import type { AccountFacts } from '../graph/types.ts';
import { valueAt } from '../valuation.ts';
import { aggregatesOf, type Basis } from './basis.ts';
import { limitOf } from './limits.ts';
import type { RiskRule } from './rule.ts';
import { RULES } from './rules/catalogue.ts';

/**
 * What a sizing node may count on, of an account as it was at `readAt` (database time, by which the rules count).
 * `asOf` is on the feed's clock. Pure.
 */
export function accountFactsOf(
  basis: Basis,
  readAt: Date,
  asOf: number,
  catalogue: readonly RiskRule[] = RULES,
): AccountFacts {
  const freeCash = Decimal.max(basis.cash.minus(basis.reserved), ZERO);
  const equity = basis.held.reduce(
    (sum, { amount, mark }) => sum.plus(valueAt(amount, mark ?? ZERO)),
    basis.cash,
  );
  return {
    equity: equity.toNumber(),
    freeCash: freeCash.toNumber(),
    orderHeadroom: Decimal.max(
      Decimal.min(freeCash, ...headroomsOf(basis, readAt, catalogue)),
      ZERO,
    ).toNumber(),
    asOf,
  };
}

/**
 * The largest notional of one buy that each rule would let pass at `now`, USD. Whether one more instrument may be
 * held depends on the instrument, so that rule is left to the decision.
 */
function headroomsOf(basis: Basis, now: Date, catalogue: readonly RiskRule[]): Exact[] {
  const account = aggregatesOf(basis, ZERO, now);
  return catalogue.flatMap((rule) => {
    const limit = limitOf(rule, basis.rules);
    return limit === null || rule.headroom === undefined ? [] : [rule.headroom({ limit, account, now })];
  });
}

import { Decimal, type Exact, ZERO } from '../platform/decimal.ts';
import { valueAt } from '../platform/valuation.ts';
import type { AccountFacts } from '../strategy/graph/types.ts';
import { aggregatesOf, type Basis } from './basis.ts';
import type { Aggregates } from './facts.ts';
import { type Limits, limitOf } from './limits.ts';
import type { RiskRule } from './rule.ts';
import { RULES } from './rules/catalogue.ts';

/**
 * Facts of an account that nodes read and size by, as of `readAt`: database time, by which the rules count.
 * `asOf` is on the feed's clock. Pure.
 */
export function accountFactsOf(
  basis: Basis,
  readAt: Date,
  asOf: number,
  catalogue: readonly RiskRule[] = RULES,
): AccountFacts {
  const account = aggregatesOf(basis, ZERO, readAt);
  const freeCash = Decimal.max(account.freeCash, ZERO);
  const equity = basis.held.reduce(
    (sum, { amount, mark }) => sum.plus(valueAt(amount, mark ?? ZERO)),
    basis.cash,
  );
  return {
    equity: equity.toNumber(),
    freeCash: freeCash.toNumber(),
    orderHeadroom: headroomOf(basis.rules, { ...account, freeCash }, readAt, catalogue).toNumber(),
    dayPnl: account.dayPnl.toNumber(),
    exposures: Object.fromEntries(
      [...account.exposures].map(([tokenId, atStake]) => [tokenId, atStake.toNumber()]),
    ),
    asOf,
  };
}

/**
 * The largest notional of one buy that the rules would let pass at `now`, USD. Whether one more instrument may be
 * held depends on the instrument, so that rule is left to the decision.
 */
function headroomOf(rules: Limits, account: Aggregates, now: Date, catalogue: readonly RiskRule[]): Exact {
  const headrooms = catalogue.flatMap((rule) => {
    const limit = limitOf(rule, rules);
    return limit === null || rule.headroom === undefined ? [] : [rule.headroom({ limit, account, now })];
  });
  return Decimal.max(Decimal.min(account.freeCash, ...headrooms), ZERO);
}

import { Exact, ZERO } from '../platform/decimal.ts';
import { valueAt } from '../platform/valuation.ts';
import type { AccountFacts } from '../strategy/graph/types.ts';
import type { Aggregates } from './risk-inputs.ts';
import { aggregatesOf, type RiskSnapshot } from './risk-snapshot.ts';
import type { RiskRule } from './rule.ts';
import { type Limits, limitOf } from './rule-limits.ts';
import { RULES } from './rules/catalogue.ts';

/**
 * Computes the account values that nodes read and size orders by, as of `readAt`. That is database time, which the rules
 * use; `asOf` is on the feed's clock. Pure.
 */
export function accountValuesOf(
  snapshot: RiskSnapshot,
  readAt: Date,
  asOf: number,
  catalogue: readonly RiskRule[] = RULES,
): AccountFacts {
  const account = aggregatesOf(snapshot, ZERO, readAt);
  const freeCash = Exact.max(account.freeCash, ZERO);
  const equity = snapshot.held.reduce(
    (sum, { amount, mark }) => sum.plus(valueAt(amount, mark ?? ZERO)),
    snapshot.cash,
  );
  return {
    equity: equity.toNumber(),
    freeCash: freeCash.toNumber(),
    orderHeadroom: headroomOf(snapshot.rules, { ...account, freeCash }, readAt, catalogue).toNumber(),
    dayPnl: account.dayPnl.toNumber(),
    exposures: Object.fromEntries(
      [...account.exposures].map(([tokenId, atStake]) => [tokenId, atStake.toNumber()]),
    ),
    asOf,
  };
}

/**
 * Returns the largest notional of one buy that the rules allow at `now`, USD. The limit of open positions depends on the
 * instrument, so only the decision checks it.
 */
function headroomOf(rules: Limits, account: Aggregates, now: Date, catalogue: readonly RiskRule[]): Exact {
  const headrooms = catalogue.flatMap((rule) => {
    const limit = limitOf(rule, rules);
    return limit === null || rule.headroom === undefined ? [] : [rule.headroom({ limit, account, now })];
  });
  return Exact.max(Exact.min(account.freeCash, ...headrooms), ZERO);
}

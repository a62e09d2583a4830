import { Decimal, type Exact, exact, toMoney, ZERO } from '../decimal.ts';
import type { AccountFacts } from '../graph/types.ts';
import { type Basis, dayPnl } from './basis.ts';
import { isLossReached } from './decide.ts';
import { staleMarkOf } from './mark-age.ts';

/**
 * What a sizing node may count on, of an account as it was at `readAt` (database time, by which the rules count).
 * `asOf` is on the feed's clock. Pure.
 */
export function accountFactsOf(basis: Basis, readAt: Date, asOf: number): AccountFacts {
  const freeCash = Decimal.max(basis.cash.minus(basis.reserved), ZERO);
  const equity = basis.held.reduce(
    (sum, { amount, mark }) => sum.plus(toMoney(amount.times(mark ?? ZERO))),
    basis.cash,
  );
  return {
    equity: equity.toNumber(),
    freeCash: freeCash.toNumber(),
    orderHeadroom: headroomOf(basis, freeCash, readAt).toNumber(),
    asOf,
  };
}

/**
 * The largest notional of one buy that the rules would let pass at `now`, USD. Whether one more instrument may be
 * held depends on the instrument, so that rule is left to the decision. Pure.
 */
function headroomOf(basis: Basis, freeCash: Exact, now: Date): Exact {
  const { rules, lastLossAt } = basis;
  const isCooling =
    lastLossAt !== null && now.getTime() < lastLossAt.getTime() + rules.cooldownAfterLossSec * 1_000;
  const isRefused =
    isCooling ||
    basis.trippedAt !== null ||
    isLossReached(rules, { dayPnl: dayPnl(basis) }) ||
    staleMarkOf(basis.held, now) !== null ||
    basis.queuedLastMinute + 1 > rules.maxOrdersPerMinute;
  return isRefused ? ZERO : Decimal.min(exact(rules.maxOrderSize), freeCash);
}

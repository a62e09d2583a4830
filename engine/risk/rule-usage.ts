import { Decimal, type Exact, exact, ZERO } from '../decimal.ts';
import { type Basis, dayPnl } from './basis.ts';
import { type ReceiptRule, staleInWords } from './decide.ts';
import { staleMarkOf } from './mark-age.ts';

/** How much of one limit is used now. Decimal strings; null where the rule measures single orders only. */
export type RuleUsage = {
  rule: ReceiptRule;
  limit: string;
  used: string | null;
  headroom: string | null;
  note?: string;
};

/** A line for each of the six rules and for the cash, as they are used at `now`. */
export function usageOf(basis: Basis, now: Date): RuleUsage[] {
  const { rules } = basis;
  return [
    perOrder('maxOrderSize', rules.maxOrderSize),
    perOrder('requireApprovalAbove', rules.requireApprovalAbove),
    counted('maxOpenPositions', exact(rules.maxOpenPositions), exact(basis.openInstruments)),
    counted('maxOrdersPerMinute', exact(rules.maxOrdersPerMinute), exact(basis.queuedLastMinute)),
    dailyLoss(basis, now),
    cooldown(basis, now),
    counted('buyingPower', basis.cash, basis.reserved),
  ];
}

const perOrder = (rule: ReceiptRule, limit: string): RuleUsage => ({
  rule,
  limit,
  used: null,
  headroom: null,
});

const counted = (rule: ReceiptRule, limit: Exact, used: Exact): RuleUsage => ({
  rule,
  limit: limit.toFixed(),
  used: used.toFixed(),
  headroom: limit.minus(used).toFixed(),
});

/** Says too when buys are denied whatever is left of the limit: the account has tripped, or the marks are too old. */
function dailyLoss(basis: Basis, now: Date): RuleUsage {
  const line = counted(
    'maxDailyLoss',
    exact(basis.rules.maxDailyLoss),
    Decimal.max(dayPnl(basis).negated(), ZERO),
  );
  if (basis.trippedAt !== null) {
    const since = basis.trippedAt.toISOString();
    return { ...line, note: `tripped at ${since}: no buys until 00:00 UTC, or until this rule is changed` };
  }
  const stale = staleMarkOf(basis.held, now);
  return stale === null ? line : { ...line, note: `stale_marks: no buys while ${staleInWords(stale)}` };
}

/** What is used of a cool-down is what is left to wait, in seconds. */
function cooldown({ rules, lastLossAt }: Basis, now: Date): RuleUsage {
  const limit = exact(rules.cooldownAfterLossSec);
  const waited = lastLossAt === null ? limit : exact(now.getTime() - lastLossAt.getTime()).div(1_000);
  const left = Decimal.max(limit.minus(waited), ZERO);
  return {
    ...counted('cooldownAfterLossSec', limit, left),
    note: lastLossAt === null ? 'no loss yet' : `last loss at ${lastLossAt.toISOString()}`,
  };
}

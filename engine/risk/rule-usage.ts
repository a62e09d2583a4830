import { type Exact, ZERO } from '../platform/decimal.ts';
import { aggregatesOf, type RiskSnapshot, reservedOf } from './risk-snapshot.ts';
import type { RiskRule } from './rule.ts';
import { limitOf } from './rule-limits.ts';
import { RULES } from './rules/catalogue.ts';

/** Usage of one limit now. Decimal strings; null if the rule measures single orders only. */
export type RuleUsage = {
  rule: string;
  limit: string;
  used: string | null;
  headroom: string | null;
  note?: string;
};

/** Returns the usage at `now` of each rule that is on, and of the cash. */
export function ruleUsageOf(
  snapshot: RiskSnapshot,
  now: Date,
  catalogue: readonly RiskRule[] = RULES,
): RuleUsage[] {
  const account = aggregatesOf(snapshot, ZERO, now);
  return [
    ...catalogue.flatMap((rule): RuleUsage[] => {
      const limit = limitOf(rule, snapshot.rules);
      if (limit === null) return [];
      const usage = rule.usage?.({ limit, account, now });
      if (usage === undefined) {
        return [{ rule: rule.name, limit: limit.toFixed(), used: null, headroom: null }];
      }
      const { used, ...note } = usage;
      return [{ ...measured(rule.name, limit, used), ...note }];
    }),
    measured('buyingPower', snapshot.cash, reservedOf(snapshot)),
  ];
}

const measured = (rule: string, limit: Exact, used: Exact): RuleUsage => ({
  rule,
  limit: limit.toFixed(),
  used: used.toFixed(),
  headroom: limit.minus(used).toFixed(),
});

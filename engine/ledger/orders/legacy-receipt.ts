import { type Decision, decide } from '../../risk/decide.ts';
import type { Receipt } from '../../risk/receipt.ts';
import type { Aggregates, IntentRiskInputs } from '../../risk/risk-inputs.ts';
import type { RiskRule } from '../../risk/rule.ts';
import type { Limits } from '../../risk/rule-limits.ts';
import { RULES } from '../../risk/rules/catalogue.ts';
import { maxOrdersPerMinute } from '../../risk/rules/max-orders-per-minute.ts';

/**
 * Whether a receipt predates latched losses: it does not state whether the account had tripped. At that time marks had no
 * age limit, and an instrument never quoted was worth nothing. Sells counted and were counted per minute, and no close
 * approved itself.
 */
export const isLegacyReceipt = ({ day }: Receipt): boolean => !('trippedAt' in day);

const FIRST_RULES: readonly RiskRule[] = RULES.map((rule) =>
  rule === maxOrdersPerMinute ? { ...rule, appliesTo: 'all' } : rule,
);

/** Evaluates as the first edition did. `account.queuedLastMinute` counts sells as well. */
export const decideByLegacyRules = (
  rules: Limits,
  account: Aggregates,
  intent: IntentRiskInputs,
  now: Date,
): Decision =>
  decide(rules, { ...account, trippedAt: null, drawdown: null, staleMark: null }, intent, now, FIRST_RULES);

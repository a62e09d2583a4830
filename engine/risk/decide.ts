import type { Exact } from '../platform/decimal.ts';
import { BALANCE_CHECKS } from './balance-checks.ts';
import { type CheckResult, type Denial, evaluate, type ReceiptLine } from './evaluate.ts';
import { keyLimitsOf } from './key-limits.ts';
import { liveLimitsOf } from './live-limits.ts';
import type { Aggregates, IntentRiskInputs } from './risk-inputs.ts';
import { routeCheckOf } from './route-block.ts';
import type { RiskRule } from './rule.ts';
import { type Limits, limitOf } from './rule-limits.ts';
import { RULES } from './rules/catalogue.ts';

export type { Denial, ReceiptLine } from './evaluate.ts';

export type Decision = {
  verdict: 'queued' | 'pending' | 'denied';
  receipt: ReceiptLine[];
  denial: Denial | null;
};

/**
 * Evaluates every rule for one intent, and records what each measured. Pure: the same values give the same receipt.
 *
 * A buy is checked by all rules and against free cash. A sell only reduces: rules only decide whether it waits for approval,
 * and its amount must be held and free. An optional rule that is off has no line.
 * Then follow the spending limits of the key, if any. With real money, the route to the venue and the live limits come last.
 */
export function decide(
  rules: Limits,
  account: Aggregates,
  intent: IntentRiskInputs,
  now: Date,
  catalogue: readonly RiskRule[] = RULES,
): Decision {
  const results: CheckResult[] = [];
  for (const rule of catalogue) {
    const limit = limitOf(rule, rules);
    if (limit === null) continue;
    const isSkipped = intent.side === 'sell' && rule.appliesTo === 'buys';
    results.push(isSkipped ? skip(rule, limit) : evaluate(rule, { limit, account, intent, now }));
  }
  for (const check of BALANCE_CHECKS) {
    if (check.side !== intent.side) continue;
    results.push(evaluate(check, { limit: check.limitOf(account), account, intent, now }));
  }
  for (const { check, input } of keyLimitsOf(intent)) results.push(evaluate(check, input));
  for (const { check, input } of routeCheckOf(intent)) results.push(evaluate(check, input));
  for (const { check, input } of liveLimitsOf(intent)) results.push(evaluate(check, input));
  const receipt = results.map(({ line }) => line);
  const denial = results.find((each) => each.denial !== null)?.denial ?? null;
  const waits = receipt.some(({ verdict }) => verdict === 'wait');
  return { verdict: denial ? 'denied' : waits ? 'pending' : 'queued', receipt, denial };
}

const skip = ({ name }: RiskRule, limit: Exact): CheckResult => ({
  line: {
    rule: name,
    limit: limit.toFixed(),
    actual: null,
    headroom: null,
    verdict: 'skipped',
    note: 'reduces',
  },
  denial: null,
});

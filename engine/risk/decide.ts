import type { Exact } from '../platform/decimal.ts';
import { boundsOf } from './envelope.ts';
import type { Aggregates, IntentFacts } from './facts.ts';
import { type Denial, type Judged, judge, type ReceiptLine } from './judged.ts';
import { type Limits, limitOf } from './limits.ts';
import { liveBoundsOf } from './live.ts';
import { OWNED } from './owned.ts';
import { passageLineOf } from './passage.ts';
import type { RiskRule } from './rule.ts';
import { RULES } from './rules/catalogue.ts';

export type { Denial, ReceiptLine } from './judged.ts';

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
  intent: IntentFacts,
  now: Date,
  catalogue: readonly RiskRule[] = RULES,
): Decision {
  const judged = [
    ...catalogue.flatMap((rule): Judged[] => {
      const limit = limitOf(rule, rules);
      if (limit === null) return [];
      const isSkipped = intent.side === 'sell' && rule.appliesTo === 'buys';
      return [isSkipped ? skip(rule, limit) : judge(rule, { limit, account, intent, now })];
    }),
    ...OWNED.filter(({ side }) => side === intent.side).map((check) =>
      judge(check, { limit: check.limitOf(account), account, intent, now }),
    ),
    ...boundsOf(intent).map(({ check, asked }) => judge(check, asked)),
    ...passageLineOf(intent).map(({ check, asked }) => judge(check, asked)),
    ...liveBoundsOf(intent).map(({ check, asked }) => judge(check, asked)),
  ];
  const receipt = judged.map(({ line }) => line);
  const denial = judged.find((each) => each.denial !== null)?.denial ?? null;
  const waits = receipt.some(({ verdict }) => verdict === 'wait');
  return { verdict: denial ? 'denied' : waits ? 'pending' : 'queued', receipt, denial };
}

const skip = ({ name }: RiskRule, limit: Exact): Judged => ({
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

import type { Exact } from '../decimal.ts';
import { boundsOf } from './envelope.ts';
import type { Aggregates, IntentFacts } from './facts.ts';
import { type Limits, limitOf } from './limits.ts';
import { OWNED } from './owned.ts';
import { passageLineOf } from './passage.ts';
import type { Check, Finding, RiskRule, Sight } from './rule.ts';
import { RULES } from './rules/catalogue.ts';

/** One check's answer. Numbers are decimal strings; `headroom` is what the limit still allows after this order. */
export type ReceiptLine = {
  rule: string;
  limit: string;
  /** Null where the rule was skipped, or there is nothing to measure. */
  actual: string | null;
  headroom: string | null;
  verdict: 'pass' | 'wait' | 'deny' | 'skipped';
  note?: string;
};

/** Why an order is denied. `code` is the rule, or `stale_marks` where the rule has nothing to judge by. */
export type Denial = {
  rule: string;
  code: string;
  limit: string;
  actual: string;
  message: string;
};

export type Decision = {
  verdict: 'queued' | 'pending' | 'denied';
  receipt: ReceiptLine[];
  denial: Denial | null;
};

type Judged = { line: ReceiptLine; denial: Denial | null };

/**
 * Judges one intent by every rule, and says what each of them saw. Pure: the same values give the same receipt.
 *
 * A buy is judged by all rules and by free cash. A sell only reduces, so whether it waits for a person is all
 * that a rule says of it; and nothing is sold that is not held and free. An optional rule that is off has no line.
 * Then comes the envelope of the key behind it, where there is one; last, with real money, the way to its venue.
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
    ...[...boundsOf(intent), ...passageLineOf(intent)].map(({ check, limit }) =>
      judge(check, { limit, account, intent, now }),
    ),
  ];
  const receipt = judged.map(({ line }) => line);
  const denial = judged.find((each) => each.denial !== null)?.denial ?? null;
  const waits = receipt.some(({ verdict }) => verdict === 'wait');
  return { verdict: denial ? 'denied' : waits ? 'pending' : 'queued', receipt, denial };
}

function judge(check: Check, asked: Sight & { intent: IntentFacts }): Judged {
  const finding = check.judge(asked);
  return { line: lineOf(check, asked.limit, finding), denial: denialOf(check, asked.limit, finding) };
}

function lineOf({ name, looser }: Check, limit: Exact, { actual, verdict, note }: Finding): ReceiptLine {
  const left = actual && (looser === 'higher' ? limit.minus(actual) : actual.minus(limit));
  return {
    rule: name,
    limit: limit.toFixed(),
    actual: actual?.toFixed() ?? null,
    headroom: left?.toFixed() ?? null,
    verdict,
    ...(note !== undefined && { note }),
  };
}

/** Rule, limit and value in one sentence, for the person who wonders why. */
function denialOf({ name, sentence }: Check, limit: Exact, finding: Finding): Denial | null {
  if (finding.verdict !== 'deny') return null;
  const numbers = { limit: limit.toFixed(), actual: finding.actual.toFixed() };
  return {
    rule: name,
    code: name,
    ...numbers,
    message: sentence(numbers.limit, numbers.actual),
    ...finding.denial,
  };
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

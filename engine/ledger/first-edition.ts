import { exact } from '../decimal.ts';
import {
  type Aggregates,
  atMost,
  type Decision,
  decide,
  type IntentFacts,
  type RiskRules,
} from '../risk/decide.ts';
import type { Receipt } from '../risk/receipt.ts';

/**
 * Receipts written before losses latched do not say whether the account had tripped. Then marks had no age limit, what
 * was never quoted was worth nothing, sells counted and were counted per minute, and no close approved itself.
 */
export const isFirstEdition = ({ day }: Receipt): boolean => !('trippedAt' in day);

/** Judges as the first edition did. `account.queuedLastMinute` counts sells as well. */
export function decideAsFirst(
  rules: RiskRules,
  account: Aggregates,
  intent: IntentFacts,
  now: Date,
): Pick<Decision, 'verdict' | 'receipt'> {
  const decision = decide(rules, { ...account, trippedAt: null, staleMark: null }, intent, now);
  const rate = atMost(
    'maxOrdersPerMinute',
    exact(rules.maxOrdersPerMinute),
    exact(account.queuedLastMinute + 1),
  );
  const receipt = decision.receipt.map((line) => (line.rule === rate.rule ? rate : line));
  const [denies, waits] = [
    receipt.some(({ verdict }) => verdict === 'deny'),
    receipt.some(({ verdict }) => verdict === 'wait'),
  ];
  return { receipt, verdict: denies ? 'denied' : waits ? 'pending' : 'queued' };
}

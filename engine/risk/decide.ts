import type { Side } from '../../db/entities/order.ts';
import { Decimal, type Exact, exact, ZERO } from '../decimal.ts';
import { MARK_MAX_AGE_SEC, type StaleMark } from './mark-age.ts';

/** The six account-level limits. Money is a decimal string in USD. */
export type RiskRules = {
  maxOrderSize: string;
  maxDailyLoss: string;
  maxOpenPositions: number;
  maxOrdersPerMinute: number;
  cooldownAfterLossSec: number;
  requireApprovalAbove: string;
};

/** What a receipt has lines for: the six rules, and what the account owns. */
export type ReceiptRule = keyof RiskRules | 'buyingPower' | 'heldAndFree';

/** One rule's answer. Numbers are decimal strings; `headroom` is what the limit still allows after this order. */
export type ReceiptLine = {
  rule: ReceiptRule;
  limit: string;
  /** Null where the rule was skipped, or there is nothing to measure. */
  actual: string | null;
  headroom: string | null;
  verdict: 'pass' | 'wait' | 'deny' | 'skipped';
  note?: string;
};

/** What the account looks like to the rules, this order left out. */
export type Aggregates = {
  /** Distinct instruments held or with a live buy. */
  openInstruments: number;
  /** Whether this order's instrument is among them. */
  instrumentIsOpen: boolean;
  /** Buys that entered `queued` in the last 60 s. */
  queuedLastMinute: number;
  /** USD. Cash less what live buys reserve. */
  freeCash: Exact;
  /** USD. Realized today after fees, plus unrealized now, less unrealized when the day opened. */
  dayPnl: Exact;
  /** When the loss of the day tripped the account; null where it has not today, or the rule was changed since. */
  trippedAt: Date | null;
  /** The oldest mark the loss of the day was taken at, where it is too old to buy by. */
  staleMark: StaleMark | null;
  lastLossAt: Date | null;
  /** What a sell may take: held in its positions and not reserved by other sells. */
  heldAndFree: Exact;
};

/**
 * Who said yes already: nobody, the deploy that froze an exit into a release, a person just now, or the web session that
 * asked for this very close.
 */
export type Approval =
  | { by: 'nobody' }
  | { by: 'deploy'; release: number }
  | { by: 'person' }
  | { by: 'request' };

export type IntentFacts = {
  side: Side;
  amount: Exact;
  /** USD. Notional the rules judge. */
  size: Exact;
  /** USD. The most the venue can charge for all of it. */
  worstFee: Exact;
  approval: Approval;
};

/** Why an order is denied. `code` is the rule, or `stale_marks` where the rule has nothing to judge by. */
export type Denial = {
  rule: ReceiptRule;
  code: ReceiptRule | 'stale_marks';
  limit: string;
  actual: string;
  message: string;
};

export type Decision = {
  verdict: 'queued' | 'pending' | 'denied';
  receipt: ReceiptLine[];
  denial: Denial | null;
};

/**
 * Judges one intent by every rule, and says what each of them saw. Pure: the same values give the same receipt.
 *
 * A buy is judged by all six rules and by free cash. A sell only reduces, so whether it waits for a person is all
 * that a rule says of it; and nothing is sold that is not held and free.
 */
export function decide(rules: RiskRules, account: Aggregates, intent: IntentFacts, now: Date): Decision {
  const judged =
    intent.side === 'buy'
      ? [
          orderSize(rules, intent),
          approval(rules, intent),
          openPositions(rules, account),
          orderRate(rules, account),
          dailyLoss(rules, account),
          cooldown(rules, account, now),
          buyingPower(account, intent),
        ]
      : [
          skipped('maxOrderSize', rules.maxOrderSize),
          approval(rules, intent),
          skipped('maxOpenPositions', String(rules.maxOpenPositions)),
          skipped('maxOrdersPerMinute', String(rules.maxOrdersPerMinute)),
          skipped('maxDailyLoss', rules.maxDailyLoss),
          skipped('cooldownAfterLossSec', String(rules.cooldownAfterLossSec)),
          heldAndFree(account, intent),
        ];
  const denial = judged.find((line) => line.verdict === 'deny');
  const waits = judged.some((line) => line.verdict === 'wait');
  return {
    verdict: denial ? 'denied' : waits ? 'pending' : 'queued',
    receipt: judged,
    denial: denial ? describe(denial, account) : null,
  };
}

function orderSize({ maxOrderSize }: RiskRules, { size }: IntentFacts): ReceiptLine {
  return atMost('maxOrderSize', exact(maxOrderSize), size);
}

function approval({ requireApprovalAbove }: RiskRules, { size, approval }: IntentFacts): ReceiptLine {
  const limit = exact(requireApprovalAbove);
  const line = measured('requireApprovalAbove', limit, size);
  if (size.lte(limit)) return { ...line, verdict: 'pass' };
  switch (approval.by) {
    case 'nobody':
      return { ...line, verdict: 'wait' };
    case 'deploy':
      return { ...line, verdict: 'pass', note: `preapproved: release ${approval.release}` };
    case 'person':
      return { ...line, verdict: 'pass', note: 'approved' };
    case 'request':
      return { ...line, verdict: 'pass', note: 'approved by its request' };
  }
}

function openPositions({ maxOpenPositions }: RiskRules, account: Aggregates): ReceiptLine {
  const after = account.openInstruments + (account.instrumentIsOpen ? 0 : 1);
  return atMost('maxOpenPositions', exact(maxOpenPositions), exact(after));
}

function orderRate({ maxOrdersPerMinute }: RiskRules, account: Aggregates): ReceiptLine {
  return atMost('maxOrdersPerMinute', exact(maxOrdersPerMinute), exact(account.queuedLastMinute + 1));
}

/**
 * Whether the loss of the day has reached its limit. Reaching it is already too much: an account that may lose nothing
 * may not buy.
 */
export const isLossReached = (
  { maxDailyLoss }: Pick<RiskRules, 'maxDailyLoss'>,
  { dayPnl }: Pick<Aggregates, 'dayPnl'>,
): boolean => lossOf(dayPnl).gte(maxDailyLoss);

const lossOf = (dayPnl: Exact): Exact => Decimal.max(dayPnl.negated(), ZERO);

function dailyLoss(rules: RiskRules, account: Aggregates): ReceiptLine {
  const line = measured('maxDailyLoss', exact(rules.maxDailyLoss), lossOf(account.dayPnl));
  const { trippedAt, staleMark } = account;
  if (trippedAt !== null) {
    return { ...line, verdict: 'deny', note: `tripped at ${trippedAt.toISOString()}` };
  }
  if (isLossReached(rules, account)) return { ...line, verdict: 'deny' };
  if (staleMark !== null)
    return { ...line, verdict: 'deny', note: `stale_marks: ${staleInWords(staleMark)}` };
  return { ...line, verdict: 'pass' };
}

export const staleInWords = ({ tokenId, ageSec }: StaleMark): string =>
  ageSec === null ? `nobody has bid for ${tokenId} yet` : `the last bid for ${tokenId} is ${ageSec} s old`;

function cooldown({ cooldownAfterLossSec }: RiskRules, { lastLossAt }: Aggregates, now: Date): ReceiptLine {
  const rule = 'cooldownAfterLossSec';
  const limit = exact(cooldownAfterLossSec);
  if (lastLossAt === null) {
    return { rule, limit: text(limit), actual: null, headroom: null, verdict: 'pass', note: 'no loss yet' };
  }
  const elapsedSec = exact(now.getTime() - lastLossAt.getTime()).div(1_000);
  return {
    rule,
    limit: text(limit),
    actual: text(elapsedSec),
    headroom: text(elapsedSec.minus(limit)),
    verdict: elapsedSec.lt(limit) ? 'deny' : 'pass',
    note: `last loss at ${lastLossAt.toISOString()}`,
  };
}

function buyingPower({ freeCash }: Aggregates, { size, worstFee }: IntentFacts): ReceiptLine {
  return atMost('buyingPower', freeCash, size.plus(worstFee));
}

function heldAndFree(account: Aggregates, { amount }: IntentFacts): ReceiptLine {
  return atMost('heldAndFree', account.heldAndFree, amount);
}

/** The line of a rule that a value may reach and not exceed. */
export function atMost(rule: ReceiptRule, limit: Exact, actual: Exact): ReceiptLine {
  return { ...measured(rule, limit, actual), verdict: actual.gt(limit) ? 'deny' : 'pass' };
}

function measured(rule: ReceiptRule, limit: Exact, actual: Exact): Omit<ReceiptLine, 'verdict'> {
  return { rule, limit: text(limit), actual: text(actual), headroom: text(limit.minus(actual)) };
}

function skipped(rule: ReceiptRule, limit: string): ReceiptLine {
  return {
    rule,
    limit: text(exact(limit)),
    actual: null,
    headroom: null,
    verdict: 'skipped',
    note: 'reduces',
  };
}

const text = (value: Exact): string => value.toFixed();

/** Rule, limit and value in one sentence, for the person who wonders why. */
const SENTENCES: Record<ReceiptRule, (limit: string, actual: string) => string> = {
  maxOrderSize: (limit, actual) => `maxOrderSize is ${limit} USD, this order is ${actual} USD.`,
  requireApprovalAbove: (limit, actual) =>
    `requireApprovalAbove is ${limit} USD, this order is ${actual} USD.`,
  maxOpenPositions: (limit, actual) => `maxOpenPositions is ${limit}, with this order it would be ${actual}.`,
  maxOrdersPerMinute: (limit, actual) =>
    `maxOrdersPerMinute is ${limit}, this order would be number ${actual} in 60 seconds.`,
  maxDailyLoss: (limit, actual) => `maxDailyLoss is ${limit} USD, the loss since 00:00 UTC is ${actual} USD.`,
  cooldownAfterLossSec: (limit, actual) =>
    `cooldownAfterLossSec is ${limit}, the last loss was ${actual} seconds ago.`,
  buyingPower: (limit, actual) =>
    `${limit} USD of cash are free, this order can cost ${actual} USD with its fee.`,
  heldAndFree: (limit, actual) => `${limit} are held and free, this order would sell ${actual}.`,
};

function describe({ rule, limit, actual }: ReceiptLine, account: Aggregates): Denial {
  const value = actual ?? '';
  const denial = { rule, limit, actual: value };
  const { trippedAt, staleMark } = account;
  if (rule !== 'maxDailyLoss') return { ...denial, code: rule, message: SENTENCES[rule](limit, value) };
  if (trippedAt !== null) {
    const message = `maxDailyLoss was reached at ${trippedAt.toISOString()}: buys are denied until 00:00 UTC, or until this rule is changed.`;
    return { ...denial, code: rule, message };
  }
  if (exact(value).gte(limit) || staleMark === null) {
    return { ...denial, code: rule, message: SENTENCES[rule](limit, value) };
  }
  const message = `maxDailyLoss is judged on marks at most ${MARK_MAX_AGE_SEC} s old: ${staleInWords(staleMark)}.`;
  return { ...denial, code: 'stale_marks', message };
}

/** How a risk rule is written down: once, for decision, usage, sizing, storage, API and console alike. */
import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { Aggregates, IntentFacts } from './facts.ts';

/** What a check looks at. */
export type Sight = { limit: Exact; account: Aggregates; now: Date };

/** What a check says of one order. `denial` is there where `sentence` does not say why. */
export type Finding =
  | { verdict: 'pass' | 'wait'; actual: Exact | null; note?: string }
  | { verdict: 'deny'; actual: Exact; note?: string; denial?: { code?: string; message: string } };

/** Whatever has a line in a receipt: the rules, and what the account owns. */
export type Check = {
  readonly name: string;
  /** The name a person knows it by. */
  readonly title: string;
  /** What a bar of its use is called, where that counts something else than `title` says. */
  readonly usageTitle?: string;
  readonly unit: 'USD' | 'instruments' | 'orders' | 'seconds' | 'units';
  /** The direction in which its limit lets more through. */
  readonly looser: 'higher' | 'lower';
  /** How its line reads, where `actual` is not simply held against `limit`. */
  readonly phrase?: string;
  judge(asked: Sight & { readonly intent: IntentFacts }): Finding;
  /** Why it denies: name, limit and value. */
  sentence(limit: string, actual: string): string;
};

/** One limit that an account sets. */
export type RiskRule = Check & {
  /** Its column in `risk_rules`. */
  readonly column: string;
  /** The limit of a new account. Null: the rule is optional, and off until a limit is set. */
  readonly default: string | number | null;
  /** Whether its limit is a whole number; others are USD. */
  readonly isWhole: boolean;
  /** A sell only reduces, so most rules have nothing to say of it. */
  readonly appliesTo: 'buys' | 'all';
  /** What becomes of an order beyond the limit. */
  readonly breach: 'deny' | 'wait';
  /** The limit in one sentence, for a person. */
  readonly help: string;
  /** The field of the API in one sentence, with its unit. */
  readonly description: string;
  /** What of the limit is used before any order. Absent where single orders are measured. */
  usage?(sight: Sight): { used: Exact; note?: string };
  /** The largest notional of one buy that it lets through now, USD, whatever the instrument. Absent where it sets none. */
  headroom?(sight: Sight): Exact;
};

/** Writes a rule down; its name and the kind of its limit stay part of its type. */
export const defineRule = <const Rule extends RiskRule>(rule: Rule): Rule => rule;

/** The finding of a limit that a value may reach and not exceed. */
export const atMost = (limit: Exact, actual: Exact): Finding => ({
  actual,
  verdict: actual.gt(limit) ? 'deny' : 'pass',
});

/** The headroom of a rule that denies every buy or none. */
export const allOrNothing =
  (judge: (sight: Sight) => Finding) =>
  (sight: Sight): Exact =>
    judge(sight).verdict === 'deny' ? ZERO : exact(Number.POSITIVE_INFINITY);

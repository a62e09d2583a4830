/** Declares risk rules: one declaration serves decision, usage, sizing, storage, API and console. */
import { type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { Aggregates, IntentRiskInputs } from './risk-inputs.ts';

/** Inputs of a check. */
export type CheckInput = { limit: Exact; account: Aggregates; now: Date };

/** Result of a check for one order. `denial` is set if `sentence` does not state the reason. */
export type Finding =
  | { verdict: 'pass' | 'wait'; actual: Exact | null; note?: string }
  | { verdict: 'deny'; actual: Exact; note?: string; denial?: { code?: string; message: string } };

/** Names, unit and messages of a check. */
export type CheckTerms = {
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** Title of its usage bar, if the bar counts something else than `title`. */
  readonly usageTitle?: string;
  readonly unit: 'USD' | 'instruments' | 'orders' | 'seconds' | 'units';
  /** The direction in which a changed limit allows more. */
  readonly looser: 'higher' | 'lower';
  /** Phrase of its line, if it is not a plain comparison of `actual` and `limit`. */
  readonly phrase?: string;
  /** States why it denies: name, limit and value. */
  sentence(limit: string, actual: string): string;
};

/** A check with a line in a receipt: a rule, or a comparison with what the account owns. */
export type Check = CheckTerms & {
  evaluate(input: CheckInput & { readonly intent: IntentRiskInputs }): Finding;
};

/** One limit that an account sets. */
export type RiskRule = Check & {
  /** Its column in `risk_rules`. */
  readonly column: string;
  /** The limit of a new account. Null: the rule is optional, and off until a limit is set. */
  readonly default: string | number | null;
  /** Whether its limit is a whole number; others are USD. */
  readonly isWhole: boolean;
  /** The orders that it checks. A sell only reduces, so most rules check buys only. */
  readonly appliesTo: 'buys' | 'all';
  /** Effect on an order beyond the limit. */
  readonly breach: 'deny' | 'wait';
  /** Describes the limit to a user, in one sentence. */
  readonly help: string;
  /** Describes the API field in one sentence, with its unit. */
  readonly description: string;
  /** Returns how much of the limit is used before any order. Absent if the rule measures single orders. */
  usage?(sight: CheckInput): { used: Exact; note?: string };
  /** Returns the largest notional of one buy that it allows now, USD, for any instrument. Absent if it limits none. */
  headroom?(sight: CheckInput): Exact;
};

/** Declares a rule; its name and the kind of its limit stay part of its type. */
export const defineRule = <const Rule extends RiskRule>(rule: Rule): Rule => rule;

/** Passes if a value does not exceed the limit; denies otherwise. */
export const atMost = (limit: Exact, actual: Exact): Finding => ({
  actual,
  verdict: actual.gt(limit) ? 'deny' : 'pass',
});

/** Returns the headroom of a rule that denies every buy or none. */
export const allOrNothing =
  (evaluate: (sight: CheckInput) => Finding) =>
  (sight: CheckInput): Exact =>
    evaluate(sight).verdict === 'deny' ? ZERO : exact(Number.POSITIVE_INFINITY);

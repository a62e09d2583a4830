import type { Mode } from '../../db/vocabulary.ts';
import { type DecimalInput, type Exact, exact } from '../platform/decimal.ts';
import { DomainError, type FieldIssue } from '../platform/errors.ts';
import type { RiskRule } from './rule.ts';
import { type RiskRules, RULES, type RuleColumns, type RuleName } from './rules/catalogue.ts';

/** Limits by rule, of any catalogue. */
export type Limits = Readonly<Record<string, string | number | undefined>>;

/** A change of limits, by rule: an absent rule keeps its limit, null turns an optional rule off. */
export type RiskRulesPatch = {
  [Name in RuleName]?: DecimalInput | undefined | (undefined extends RiskRules[Name] ? null : never);
};
type Patch = Readonly<Record<string, DecimalInput | null | undefined>>;

/** Stored form of a limit. */
type Stored = string | number | null;

/** Largest value of the database's `int`. */
const WHOLE_MAX = 2_147_483_647;
/** Largest integer part of `numeric(38,12)`. */
export const MONEY_MAX: Exact = exact('99999999999999999999999999');

/** Returns the limit of one rule; null if the rule is optional and off. */
export function limitOf({ name, default: preset }: RiskRule, limits: Limits): Exact | null {
  const limit = limits[name];
  if (limit !== undefined) return exact(limit);
  if (preset === null) return null;
  throw new Error(`The rule ${name} has no limit.`);
}

/** Returns the limits in a row of `risk_rules`, numbers without trailing zeros. */
export function rulesOf(row: RuleColumns): RiskRules {
  const known = rulesByRow.get(row);
  if (known !== undefined) return known;
  const rules = catalogueLimitsOf(row, RULES) as RiskRules;
  rulesByRow.set(row, rules);
  return rules;
}

/** Caches the limits of a row. Rows are never changed in place, so that an entry stays valid while its row exists. */
const rulesByRow = new WeakMap<RuleColumns, RiskRules>();

/** {@link rulesOf} for any catalogue. */
export const catalogueLimitsOf = (
  row: Readonly<Record<string, Stored>>,
  catalogue: readonly RiskRule[],
): Limits =>
  Object.fromEntries(
    catalogue.flatMap(({ name, column, isWhole }) => {
      const limit = row[column] ?? null;
      if (limit === null) return [];
      return [[name, isWhole ? exact(limit).toNumber() : exact(limit).toFixed()]];
    }),
  );

/** The columns of a new account: small, so that a first mistake costs little. */
export const DEFAULT_LIMITS = Object.fromEntries(
  RULES.map(({ column, default: preset }) => [column, preset]),
) as RuleColumns;

/** Returns the rules whose limit `patch` changes. */
export const changedRules = (
  before: Limits,
  patch: Patch,
  catalogue: readonly RiskRule[] = RULES,
): readonly RiskRule[] =>
  catalogue.filter(({ name }) => {
    const [limit, wanted] = [before[name], patch[name]];
    if (wanted === undefined) return false;
    return wanted === null || limit === undefined ? wanted !== (limit ?? null) : !exact(wanted).eq(limit);
  });

/** Returns the columns that a change writes. */
export const columnsOf = (changed: readonly RiskRule[], patch: Patch): Partial<RuleColumns> =>
  Object.fromEntries(
    changed.map(({ name, column, isWhole }) => {
      const wanted = patch[name] ?? null;
      if (wanted === null) return [column, null];
      return [column, isWhole ? exact(wanted).toNumber() : exact(wanted).toFixed()];
    }),
  );

/** Stricter limits of a new live account: every entry waits for approval. */
const FIRST_LIVE: RiskRulesPatch = {
  maxOrderSize: 25,
  requireApprovalAbove: 0,
  maxOpenPositions: 5,
  maxDailyLoss: 50,
};

/** The columns of a new account, by mode. */
export const NEW_ACCOUNT_LIMITS: Readonly<Record<Mode, RuleColumns>> = {
  paper: DEFAULT_LIMITS,
  live: {
    ...DEFAULT_LIMITS,
    ...columnsOf(
      RULES.filter(({ name }) => name in FIRST_LIVE),
      FIRST_LIVE,
    ),
  },
};

/**
 * Refuses limits outside the range of their rule.
 *
 * @throws DomainError `validation_failed`, naming every field that is wrong.
 */
export function refuseInvalidLimits(patch: Patch, catalogue: readonly RiskRule[] = RULES): void {
  const issues = catalogue.flatMap((rule): FieldIssue[] => {
    const wanted = patch[rule.name];
    const expected = wanted === undefined ? null : expectedUnlessFit(rule, wanted);
    if (expected === null) return [];
    const message = `${rule.name}: expected ${expected}, got ${wanted}`;
    return [{ path: `/${rule.name}`, code: 'invalid_value', message }];
  });
  if (issues.length === 0) return;
  throw new DomainError('validation_failed', issues.map(({ message }) => message).join('; '), { issues });
}

/** Describes the range of a rule if `wanted` is outside it; null if it fits. */
function expectedUnlessFit(
  { isWhole, default: preset }: RiskRule,
  wanted: DecimalInput | null,
): string | null {
  if (wanted === null && preset === null) return null;
  const value = exact(wanted ?? Number.NaN);
  if (isWhole) {
    const fits = value.isInteger() && value.gte(0) && value.lte(WHOLE_MAX);
    return fits ? null : `an integer from 0 to ${WHOLE_MAX}`;
  }
  const fits = value.gte(0) && value.lte(MONEY_MAX) && value.decimalPlaces() <= 12;
  return fits ? null : 'an amount of USD of at least 0 with at most 12 decimals';
}

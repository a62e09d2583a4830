import type { Mode } from '../../db/vocabulary.ts';
import { type Decimal, type Exact, exact } from '../platform/decimal.ts';
import { DomainError, type FieldIssue } from '../platform/errors.ts';
import type { RiskRule } from './rule.ts';
import { type RiskRules, RULES, type RuleColumns, type RuleName } from './rules/catalogue.ts';

/** Limits by rule, of any catalogue. */
export type Limits = Readonly<Record<string, string | number | undefined>>;

/** What a change may say, by rule: an absent one keeps its limit, null turns an optional one off. */
export type RiskRulesPatch = {
  [Name in RuleName]?: Decimal.Value | undefined | (undefined extends RiskRules[Name] ? null : never);
};
type Patch = Readonly<Record<string, Decimal.Value | null | undefined>>;

/** What a limit is stored as. */
type Stored = string | number | null;

/** What the database's `int` holds. */
const WHOLE_MAX = 2_147_483_647;
/** What `numeric(38,12)` holds left of the point. */
const MONEY_MAX = '99999999999999999999999999';

/** The limit of one rule; null where the rule is optional and off. */
export function limitOf({ name, default: preset }: RiskRule, limits: Limits): Exact | null {
  const limit = limits[name];
  if (limit !== undefined) return exact(limit);
  if (preset === null) return null;
  throw new Error(`The rule ${name} has no limit.`);
}

/** The limits in a row of `risk_rules`, numbers without trailing zeros. */
export function rulesOf(row: RuleColumns): RiskRules {
  const known = rulesByRow.get(row);
  if (known !== undefined) return known;
  const rules = limitsIn(row, RULES) as RiskRules;
  rulesByRow.set(row, rules);
  return rules;
}

/** A row is never changed in place: what was read of it once holds for as long as it is there. */
const rulesByRow = new WeakMap<RuleColumns, RiskRules>();

/** {@link rulesOf} for any catalogue. */
export const limitsIn = (row: Readonly<Record<string, Stored>>, catalogue: readonly RiskRule[]): Limits =>
  Object.fromEntries(
    catalogue.flatMap(({ name, column, isWhole }) => {
      const limit = row[column] ?? null;
      if (limit === null) return [];
      return [[name, isWhole ? exact(limit).toNumber() : exact(limit).toFixed()]];
    }),
  );

/** The columns of a new account: small enough that a first mistake is a small one. */
export const DEFAULT_LIMITS = Object.fromEntries(
  RULES.map(({ column, default: preset }) => [column, preset]),
) as RuleColumns;

/** The rules that `patch` gives another limit than they have. */
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

/** The columns a change writes. */
export const columnsOf = (changed: readonly RiskRule[], patch: Patch): Partial<RuleColumns> =>
  Object.fromEntries(
    changed.map(({ name, column, isWhole }) => {
      const wanted = patch[name] ?? null;
      if (wanted === null) return [column, null];
      return [column, isWhole ? exact(wanted).toNumber() : exact(wanted).toFixed()];
    }),
  );

/** Of an account's first real money: every entry waits for a person. */
const FIRST_LIVE: RiskRulesPatch = {
  maxOrderSize: 25,
  requireApprovalAbove: 0,
  maxOpenPositions: 5,
  maxDailyLoss: 50,
};

/** The columns an account begins with, by mode. */
export const FIRST_LIMITS: Readonly<Record<Mode, RuleColumns>> = {
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
 * Refuses a limit that no rule can have.
 *
 * @throws DomainError `validation_failed`, naming every field that is wrong.
 */
export function refuseImpossible(patch: Patch, catalogue: readonly RiskRule[] = RULES): void {
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

/** What the rule takes instead of `wanted`; null where it takes that. */
function expectedUnlessFit(
  { isWhole, default: preset }: RiskRule,
  wanted: Decimal.Value | null,
): string | null {
  if (wanted === null && preset === null) return null;
  const value = exact(wanted ?? Number.NaN);
  if (isWhole) {
    const fits = value.isInteger() && value.gte(0) && value.lte(WHOLE_MAX);
    return fits ? null : `an integer from 0 to ${WHOLE_MAX}`;
  }
  const fits = value.gte(0) && value.lte(MONEY_MAX) && value.decimalPlaces() <= 12;
  return fits ? null : 'an amount of USD from 0 on with at most 12 decimals';
}

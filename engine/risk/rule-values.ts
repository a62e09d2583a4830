import type { Selectable } from 'kysely';
import type { Database } from '../../db/tables.ts';
import { type Decimal, exact } from '../decimal.ts';
import { DomainError, type FieldIssue } from '../errors.ts';
import type { RiskRules } from './decide.ts';

/** What a change may say: any of the six, by field. An absent one keeps its value. */
export type RiskRulesPatch = { [Rule in keyof RiskRules]?: Decimal.Value | undefined };

export type RulesRow = Selectable<Database['risk_rules']>;

/** The column of each rule. */
export const COLUMNS = {
  maxOrderSize: 'max_order_size',
  maxDailyLoss: 'max_daily_loss',
  maxOpenPositions: 'max_open_positions',
  maxOrdersPerMinute: 'max_orders_per_minute',
  cooldownAfterLossSec: 'cooldown_after_loss_sec',
  requireApprovalAbove: 'require_approval_above',
} as const satisfies Record<keyof RiskRules, keyof RulesRow>;

/** In the order of the table. */
export const RULE_NAMES = Object.keys(COLUMNS) as (keyof RiskRules)[];

const WHOLE: ReadonlySet<keyof RiskRules> = new Set([
  'maxOpenPositions',
  'maxOrdersPerMinute',
  'cooldownAfterLossSec',
]);
/** What the database's `int` holds. */
const WHOLE_MAX = 2_147_483_647;
/** What `numeric(38,12)` holds left of the point. */
const MONEY_MAX = '99999999999999999999999999';

/** The six rules of a row, numbers without trailing zeros. */
export function rulesOf(row: Pick<RulesRow, (typeof COLUMNS)[keyof RiskRules]>): RiskRules {
  return {
    maxOrderSize: exact(row.max_order_size).toFixed(),
    maxDailyLoss: exact(row.max_daily_loss).toFixed(),
    maxOpenPositions: row.max_open_positions,
    maxOrdersPerMinute: row.max_orders_per_minute,
    cooldownAfterLossSec: row.cooldown_after_loss_sec,
    requireApprovalAbove: exact(row.require_approval_above).toFixed(),
  };
}

/** The rules that `patch` gives another value than they have. */
export const changedRules = (before: RiskRules, patch: RiskRulesPatch): (keyof RiskRules)[] =>
  RULE_NAMES.filter((rule) => {
    const wanted = patch[rule];
    return wanted !== undefined && !exact(wanted).eq(before[rule]);
  });

/**
 * Refuses a value that no rule can have.
 *
 * @throws DomainError `validation_failed`, naming every field that is wrong.
 */
export function refuseImpossible(patch: RiskRulesPatch): void {
  const issues = RULE_NAMES.flatMap((rule): FieldIssue[] => {
    const wanted = patch[rule];
    if (wanted === undefined) return [];
    const value = exact(wanted);
    if (WHOLE.has(rule) && !(value.isInteger() && value.gte(0) && value.lte(WHOLE_MAX))) {
      return [issue(rule, `expected an integer from 0 to ${WHOLE_MAX}, got ${value}`)];
    }
    if (!(value.gte(0) && value.lte(MONEY_MAX) && value.decimalPlaces() <= 12)) {
      return [issue(rule, `expected an amount of USD from 0 on with at most 12 decimals, got ${value}`)];
    }
    return [];
  });
  if (issues.length === 0) return;
  throw new DomainError('validation_failed', issues.map(({ message }) => message).join('; '), { issues });
}

const issue = (rule: keyof RiskRules, message: string): FieldIssue => ({
  path: `/${rule}`,
  code: 'invalid_value',
  message: `${rule}: ${message}`,
});

/** All risk rules: the one source for decisions, usage, sizing, storage, API and console. */
import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import { OPTIONAL_LIMITS } from '../../../db/vocabulary.ts';
import type { RiskRule } from '../rule.ts';
import { cooldownAfterLoss } from './cooldown-after-loss.ts';
import { maxDailyLoss } from './max-daily-loss.ts';
import { maxOpenPositions } from './max-open-positions.ts';
import { maxOrderSize } from './max-order-size.ts';
import { maxOrdersPerMinute } from './max-orders-per-minute.ts';
import * as optional from './optional.ts';
import { requireApprovalAbove } from './require-approval-above.ts';

type RulesRow = Selectable<Database['risk_rules']>;

/** Rules that are off until a limit is set, in the order of their API object. */
export const OPTIONAL_RULES = OPTIONAL_LIMITS.map((name) => optional[name]);

/** All rules, in the order of a receipt. */
export const RULES = [
  maxOrderSize,
  requireApprovalAbove,
  maxOpenPositions,
  maxOrdersPerMinute,
  maxDailyLoss,
  cooldownAfterLoss,
  ...OPTIONAL_RULES,
] as const satisfies readonly (RiskRule & { column: keyof RulesRow })[];

/** The six rules of the documented API object, in its order. Rules added later are not fields of it. */
export const API_RULES = [
  maxOrderSize,
  maxDailyLoss,
  maxOpenPositions,
  maxOrdersPerMinute,
  cooldownAfterLoss,
  requireApprovalAbove,
] as const;

/** Whether a rule is a field of the documented API object. */
export const isApiRule = <R extends RiskRule>(rule: R): rule is R & { name: ApiRuleName } =>
  API_RULES.some(({ name }) => name === rule.name);

type Rule = (typeof RULES)[number];
type Optional = Extract<Rule, { default: null }>;
type LimitOf<R extends Rule> = R['isWhole'] extends true ? number : string;

export type RuleName = Rule['name'];
export type ApiRuleName = (typeof API_RULES)[number]['name'];
export type OptionalRuleName = (typeof OPTIONAL_RULES)[number]['name'];

/** The columns of `risk_rules` that hold limits. */
export type RuleColumns = Pick<RulesRow, Rule['column']>;

/** The limits of an account: whole numbers, or USD as decimal strings. An optional rule that is off is absent. */
export type RiskRules = {
  [R in Exclude<Rule, Optional> as R['name']]: LimitOf<R>;
} & {
  [R in Optional as R['name']]?: LimitOf<R>;
};

/** Builds a value for each field of the documented API object. */
export const byApiRule = <Value>(of: (rule: RiskRule & { name: ApiRuleName }) => Value) =>
  Object.fromEntries(API_RULES.map((rule) => [rule.name, of(rule)])) as Record<ApiRuleName, Value>;

/** Builds a value for each optional rule. */
export const byOptionalRule = <Value>(of: (rule: RiskRule & { name: OptionalRuleName }) => Value) =>
  Object.fromEntries(OPTIONAL_RULES.map((rule) => [rule.name, of(rule)])) as Record<OptionalRuleName, Value>;

import { z } from 'zod';
import { byApiRule, byOptionalRule } from '../../engine/risk/rules/catalogue.ts';
import { decimalNumber, exactInteger, exactNumber } from '../schemas.ts';

/** The largest `int` of the database: 68 years in seconds. */
const INTEGER_MAX = 2_147_483_647;

const usd = exactNumber({ min: 0 });
const whole = exactInteger(0, INTEGER_MAX);

export const RulesPatch = z.strictObject(
  byApiRule(({ isWhole, description }) => (isWhole ? whole : usd).optional().meta({ description })),
);

export const OptionalRulesPatch = z.strictObject(
  byOptionalRule(({ isWhole, description }) =>
    (isWhole ? whole : usd).nullable().optional().meta({ description }),
  ),
);

export const RulesView = z
  .object(byApiRule(({ description }) => decimalNumber.meta({ description })))
  .meta({ id: 'RiskRules', description: 'Constraints checked before every order of the account.' });

export const OptionalRulesView = z
  .object(byOptionalRule(({ description }) => decimalNumber.nullable().meta({ description })))
  .meta({ id: 'OptionalRiskRules', description: 'Further limits of the account. Null: off.' });

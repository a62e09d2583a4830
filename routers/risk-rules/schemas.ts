import { z } from 'zod';
import type { RiskRules } from '../../engine/risk/decide.ts';
import { exactInteger, exactNumber } from '../schemas.ts';

/** What the database’s `int` holds: 68 years in seconds. */
const INTEGER_MAX = 2_147_483_647;

const usd = exactNumber({ min: 0 });
const whole = exactInteger(0, INTEGER_MAX);

const DESCRIPTIONS = {
  maxOrderSize: 'USD. A larger buy is denied; 0 allows exits only.',
  maxDailyLoss: 'USD. Buys are denied once the day (00:00 UTC) has lost this much.',
  maxOpenPositions: 'Distinct instruments held or being bought.',
  maxOrdersPerMinute: 'Orders cleared for sending in any 60 seconds.',
  cooldownAfterLossSec: 'Seconds after a losing sell in which buys are denied.',
  requireApprovalAbove: 'USD. A larger order waits for a person.',
} as const;

export const RulesPatch = z.strictObject({
  maxOrderSize: usd.optional().meta({ description: DESCRIPTIONS.maxOrderSize }),
  maxDailyLoss: usd.optional().meta({ description: DESCRIPTIONS.maxDailyLoss }),
  maxOpenPositions: whole.optional().meta({ description: DESCRIPTIONS.maxOpenPositions }),
  maxOrdersPerMinute: whole.optional().meta({ description: DESCRIPTIONS.maxOrdersPerMinute }),
  cooldownAfterLossSec: whole.optional().meta({ description: DESCRIPTIONS.cooldownAfterLossSec }),
  requireApprovalAbove: usd.optional().meta({ description: DESCRIPTIONS.requireApprovalAbove }),
});

export const RulesView = z
  .object({
    maxOrderSize: z.number().meta({ description: DESCRIPTIONS.maxOrderSize }),
    maxDailyLoss: z.number().meta({ description: DESCRIPTIONS.maxDailyLoss }),
    maxOpenPositions: z.number().meta({ description: DESCRIPTIONS.maxOpenPositions }),
    maxOrdersPerMinute: z.number().meta({ description: DESCRIPTIONS.maxOrdersPerMinute }),
    cooldownAfterLossSec: z.number().meta({ description: DESCRIPTIONS.cooldownAfterLossSec }),
    requireApprovalAbove: z.number().meta({ description: DESCRIPTIONS.requireApprovalAbove }),
  })
  .meta({ id: 'RiskRules', description: 'Constraints checked before every order of the account.' });

export const viewRules = (rules: RiskRules): z.input<typeof RulesView> => ({
  maxOrderSize: Number(rules.maxOrderSize),
  maxDailyLoss: Number(rules.maxDailyLoss),
  maxOpenPositions: rules.maxOpenPositions,
  maxOrdersPerMinute: rules.maxOrdersPerMinute,
  cooldownAfterLossSec: rules.cooldownAfterLossSec,
  requireApprovalAbove: Number(rules.requireApprovalAbove),
});

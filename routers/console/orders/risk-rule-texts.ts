import { z } from 'zod';
import type { RiskRule } from '../../../engine/risk/rule.ts';
import { API_RULES, isApiRule, OPTIONAL_RULES, RULES } from '../../../engine/risk/rules/catalogue.ts';
import { OTHER_CHECKS } from '../../../engine/risk/rules/other-checks.ts';
import { procedure } from '../../trpc.ts';

const Check = z.object({
  name: z.string(),
  title: z.string(),
  unit: z.enum(['USD', 'instruments', 'orders', 'seconds', 'units']),
  /** The text of its receipt line: `{limit}` and `{actual}` stand for numbers. */
  phrase: z.string().optional(),
  /** The title of its usage bar, if it differs from its title. */
  usageTitle: z.string().optional(),
});

const Rule = Check.extend({
  name: z.enum(API_RULES.map(({ name }) => name)),
  help: z.string(),
  isWhole: z.boolean(),
  looser: z.enum(['higher', 'lower']),
  breach: z.enum(['deny', 'wait']),
});

const OptionalRule = Check.extend({ name: z.enum(OPTIONAL_RULES.map(({ name }) => name)), help: z.string() });

/** The titles and texts of the risk rules, in the order of a receipt, and of its other lines. */
export const rules = procedure({ scope: 'risk:read' })
  .input(z.strictObject({}))
  .output(z.object({ rules: z.array(Rule), optional: z.array(OptionalRule), others: z.array(Check) }))
  .query(() => {
    const catalogue: readonly RiskRule[] = RULES;
    return {
      rules: catalogue.filter(isApiRule),
      optional: [...OPTIONAL_RULES],
      others: [...OTHER_CHECKS],
    };
  });

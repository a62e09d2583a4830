import { z } from 'zod';
import { readRules, updateRules } from '../../engine/risk-rules/rules.ts';
import { replyEtag, reviewedVersion } from '../etag.ts';
import { RULES_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { procedure, router } from '../trpc.ts';
import { preview, usage } from './preview.ts';
import { RulesPatch, RulesView, viewRules } from './schemas.ts';

const read = procedure({ scope: 'risk:read' })
  .meta(
    route({
      method: 'GET',
      path: '/api/risk-rules',
      tag: 'Risk rules',
      summary: 'Read the risk rules',
      description: 'The account’s six limits. One set per account, always present.',
      example: { response: RULES_EXAMPLE },
    }),
  )
  .input(z.strictObject({}))
  .output(RulesView)
  .query(async ({ ctx }) => {
    const rules = await readRules(ctx.work);
    replyEtag(ctx, rules.version);
    return viewRules(rules);
  });

const update = procedure({ scope: 'risk:write', bucket: 'brake' })
  .meta(
    route({
      method: 'PUT',
      path: '/api/risk-rules',
      tag: 'Risk rules',
      summary: 'Change the risk rules',
      description:
        'Changes the fields you send and no others, from the next decision on. Pending intents are judged again at approval; resting buys larger than a lowered `maxOrderSize` are canceled; a changed `maxDailyLoss` lifts a day’s latch.',
      example: {
        request: { maxOrderSize: 80, maxDailyLoss: 200, requireApprovalAbove: 40 },
        response: { ...RULES_EXAMPLE, maxOrderSize: 80, maxDailyLoss: 200, requireApprovalAbove: 40 },
      },
    }),
  )
  .input(RulesPatch)
  .output(RulesView)
  .mutation(async ({ ctx, input }) => {
    const rules = await updateRules(ctx.work, input, reviewedVersion(ctx));
    replyEtag(ctx, rules.version);
    return viewRules(rules);
  });

export const riskRules = router({ read, update, preview, usage });

import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { RULES_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { RulesPatch, RulesView } from './schemas.ts';

export const update = route({
  method: 'PUT',
  path: '/api/risk-rules',
  access: { kind: 'scope', scope: 'risk:write', bucket: 'brake' },
  tag: 'Risk rules',
  summary: 'Change the risk rules',
  description:
    'Changes the fields you send and no others, from the next decision on. Pending intents are checked again at approval; resting buys larger than a lowered `maxOrderSize` are canceled; a changed `maxDailyLoss` lifts a day’s latch.',
  etag: true,
  ifMatch: true,
  example: {
    request: { maxOrderSize: 80, maxDailyLoss: 200, requireApprovalAbove: 40 },
    response: { ...RULES_EXAMPLE, maxOrderSize: 80, maxDailyLoss: 200, requireApprovalAbove: 40 },
  },
  input: RulesPatch,
  output: RulesView,
  resolve: async ({ ctx, reply, reviewedVersion, input }) => {
    const rules = await updateRules(ctx.work, input, reviewedVersion);
    reply.version(rules.version);
    return rules;
  },
});

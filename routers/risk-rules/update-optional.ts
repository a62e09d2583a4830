import { byOptionalRule } from '../../engine/risk/rules/catalogue.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { route } from '../route.ts';
import { OptionalRulesPatch, OptionalRulesView } from './schemas.ts';

export const updateOptional = route({
  method: 'PUT',
  path: '/api/risk-rules/optional',
  access: { kind: 'scope', scope: 'risk:write', bucket: 'brake' },
  tag: 'Risk rules',
  summary: 'Change the optional risk rules',
  description:
    'Changes the fields you send and no others, from the next decision on; null turns a rule off. Pending intents are checked again at approval.',
  etag: true,
  ifMatch: true,
  example: {
    request: { maxPositionSize: 150 },
    response: { ...byOptionalRule(() => null), maxPositionSize: 150 },
  },
  input: OptionalRulesPatch,
  output: OptionalRulesView,
  resolve: async ({ ctx, reply, reviewedVersion, input }) => {
    const rules = await updateRules(ctx.work, input, reviewedVersion);
    reply.version(rules.version);
    return byOptionalRule(({ name }) => rules[name] ?? null);
  },
});

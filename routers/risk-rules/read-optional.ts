import { z } from 'zod';
import { byOptionalRule } from '../../engine/risk/rules/catalogue.ts';
import { readRules } from '../../engine/usecases/risk-rules/rules.ts';
import { route } from '../route.ts';
import { OptionalRulesView } from './schemas.ts';

export const readOptional = route({
  method: 'GET',
  path: '/api/risk-rules/optional',
  access: { kind: 'scope', scope: 'risk:read' },
  tag: 'Risk rules',
  summary: 'Read the optional risk rules',
  description:
    'Limits in addition to the six, each off (null) until it is set. They share the version of the six. None of them blocks sells.',
  etag: true,
  example: { response: byOptionalRule(() => null) },
  input: z.strictObject({}),
  output: OptionalRulesView,
  resolve: async ({ ctx, reply }) => {
    const rules = await readRules(ctx.work);
    reply.version(rules.version);
    return byOptionalRule(({ name }) => rules[name] ?? null);
  },
});

import { z } from 'zod';
import { readRules } from '../../engine/usecases/risk-rules/rules.ts';
import { RULES_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { RulesView } from './schemas.ts';

export const read = route({
  method: 'GET',
  path: '/api/risk-rules',
  access: { kind: 'scope', scope: 'risk:read' },
  tag: 'Risk rules',
  summary: 'Read the risk rules',
  description: 'The account’s six limits. One set per account, always present.',
  etag: true,
  example: { response: RULES_EXAMPLE },
  input: z.strictObject({}),
  output: RulesView,
  resolve: async ({ ctx, reply }) => {
    const rules = await readRules(ctx.work);
    reply.version(rules.version);
    return rules;
  },
});

import { z } from 'zod';
import { riskUsage } from '../../engine/usecases/risk-rules/usage.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { decimalNumber, timestamp } from '../schemas.ts';

export const RuleUsageView = z.object({
  rule: z.string(),
  limit: decimalNumber,
  used: decimalNumber.nullable(),
  headroom: decimalNumber.nullable(),
  note: z.string().optional(),
});

const Usage = z
  .object({ at: timestamp, rulesVersion: z.number().int(), lines: z.array(RuleUsageView) })
  .meta({ id: 'RiskUsage', description: 'The used part of each rule now.' });

export const usage = route({
  method: 'GET',
  path: '/api/risk-rules/usage',
  access: { kind: 'scope', scope: 'risk:read' },
  tag: 'Risk rules',
  summary: 'Read the usage of the risk rules',
  description: 'Each rule with its limit, its current usage and the headroom, and the available cash.',
  example: {
    response: {
      at: EXAMPLE.updatedAt,
      rulesVersion: 1,
      lines: [{ rule: 'maxOpenPositions', limit: 10, used: 3, headroom: 7 }],
    },
  },
  input: z.strictObject({}),
  output: Usage,
  resolve: ({ ctx }) => riskUsage(ctx.work),
});

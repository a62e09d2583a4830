import { z } from 'zod';
import { validateBlueprint } from '../../engine/blueprints/validate.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { admitLookUp } from './look-up.ts';
import { BlueprintId, Visual } from './schemas.ts';

const Issue = z.object({
  nodeId: z.string().nullable(),
  path: z.string().meta({ description: 'JSON Pointer into `visual`.' }),
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});

export const validate = route({
  method: 'POST',
  path: '/api/blueprints/{id}/validate',
  access: { kind: 'scope', scope: 'blueprints:read', bucket: 'read' },
  tag: 'Blueprints',
  summary: 'Check a blueprint',
  description: 'What deploy would say of the drawing, or of the one you send, without deploying.',
  idempotent: 'effectless',
  example: {
    path: { id: EXAMPLE.blueprintId },
    request: { visual: null },
    response: {
      valid: false,
      issues: [
        {
          nodeId: 'buy',
          path: '/nodes/3/data/config/amount',
          code: 'config_invalid',
          severity: 'error',
          message: 'The amount must be above 0.',
        },
      ],
    },
  },
  input: BlueprintId.extend({ visual: Visual.optional() }),
  output: z.object({ valid: z.boolean(), issues: z.array(Issue) }),
  resolve: async ({ ctx, input }) => {
    const { work, market } = ctx;
    const { valid, issues } = await validateBlueprint(work, market, input.id, input.visual, admitLookUp(ctx));
    return { valid, issues: [...issues] };
  },
});

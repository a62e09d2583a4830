import { z } from 'zod';
import { validateGraph } from '../../engine/usecases/blueprints/running/validate.ts';
import { limitVenueLookUps } from '../limit-venue-look-ups.ts';
import { route } from '../route.ts';
import { Visual } from './schemas.ts';
import { INVALID, Validation } from './validation.ts';

export const validateDrawing = route({
  method: 'POST',
  path: '/api/blueprints/validate',
  access: { kind: 'scope', scope: 'blueprints:read', bucket: 'read' },
  tag: 'Blueprints',
  summary: 'Check a graph',
  description: 'Checks the graph you send as deploy would. It is not stored, and nothing changes.',
  idempotent: 'effectless',
  example: { request: { visual: null }, response: INVALID },
  input: z.strictObject({ visual: Visual.optional() }),
  output: Validation,
  resolve: async ({ ctx, input }) => {
    const { valid, issues } = await validateGraph(
      ctx.work,
      ctx.market,
      input.visual ?? null,
      limitVenueLookUps(ctx),
    );
    return { valid, issues: [...issues] };
  },
});

import { validateBlueprint } from '../../engine/usecases/blueprints/running/validate.ts';
import { EXAMPLE } from '../examples.ts';
import { limitVenueLookUps } from '../limit-venue-look-ups.ts';
import { route } from '../route.ts';
import { BlueprintId, Visual } from './schemas.ts';
import { INVALID, Validation } from './validation.ts';

export const validate = route({
  method: 'POST',
  path: '/api/blueprints/{id}/validate',
  access: { kind: 'scope', scope: 'blueprints:read', bucket: 'read' },
  tag: 'Blueprints',
  summary: 'Check a blueprint',
  description: 'Checks the blueprint’s graph, or the graph you send, as deploy would, without deploying.',
  idempotent: 'effectless',
  example: {
    path: { id: EXAMPLE.blueprintId },
    request: { visual: null },
    response: INVALID,
  },
  input: BlueprintId.extend({ visual: Visual.optional() }),
  output: Validation,
  resolve: async ({ ctx, input }) => {
    const { work, market } = ctx;
    const { valid, issues } = await validateBlueprint(
      work,
      market,
      input.id,
      input.visual,
      limitVenueLookUps(ctx),
    );
    return { valid, issues: [...issues] };
  },
});

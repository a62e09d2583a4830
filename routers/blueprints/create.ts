import { z } from 'zod';
import { createBlueprint } from '../../engine/blueprints/create.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../examples.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { uuid } from '../schemas.ts';
import { procedure } from '../trpc.ts';
import { keptBlueprint } from './kept-answer.ts';
import { BlueprintView, Name, Visual, viewBlueprint } from './schemas.ts';

export const create = procedure({ scope: 'blueprints:write' })
  .meta(
    route({
      method: 'POST',
      path: '/api/blueprints',
      tag: 'Blueprints',
      summary: 'Create a blueprint',
      description: 'Creates a draft: empty with only a name, or with an initial drawing.',
      example: {
        request: { name: 'Dip buyer', visual: BLUEPRINT_EXAMPLE.visual, thesisId: EXAMPLE.thesisId },
        response: BLUEPRINT_EXAMPLE,
      },
    }),
  )
  .input(
    z.strictObject({
      name: Name,
      visual: Visual.optional(),
      thesisId: uuid
        .optional()
        .meta({ description: 'Your own reference: stored, filterable, not interpreted.' }),
    }),
  )
  .output(BlueprintView)
  .mutation(
    once(async ({ ctx, input }) => viewBlueprint(await createBlueprint(ctx.work, input)), {
      keeping: keptBlueprint,
    }),
  );

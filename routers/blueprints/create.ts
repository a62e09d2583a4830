import { z } from 'zod';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { BLUEPRINT_EXAMPLE, EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { uuid } from '../schemas.ts';
import { blueprintAnswerStorage } from './blueprint-answer-storage.ts';
import { BlueprintView, Name, Visual, viewBlueprint } from './schemas.ts';

export const create = route({
  method: 'POST',
  path: '/api/blueprints',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Blueprints',
  summary: 'Create a blueprint',
  description: 'Creates a draft: empty with only a name, or with an initial graph.',
  idempotent: {
    keeping: blueprintAnswerStorage,
  },
  example: {
    request: { name: 'Dip buyer', visual: BLUEPRINT_EXAMPLE.visual, thesisId: EXAMPLE.thesisId },
    response: BLUEPRINT_EXAMPLE,
  },
  input: z.strictObject({
    name: Name,
    visual: Visual.optional(),
    thesisId: uuid
      .optional()
      .meta({ description: 'Your own reference: stored, filterable, not interpreted.' }),
  }),
  output: BlueprintView,
  resolve: async ({ ctx, input }) => viewBlueprint(await createBlueprint(ctx.work, input)),
});

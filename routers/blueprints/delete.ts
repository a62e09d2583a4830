import { z } from 'zod';
import { deleteBlueprint } from '../../engine/usecases/blueprints/drafts/delete.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { BlueprintId } from './schemas.ts';

export const remove = route({
  method: 'DELETE',
  path: '/api/blueprints/{id}',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Blueprints',
  summary: 'Delete a blueprint',
  description:
    'The blueprint answers 404 afterwards; its orders stay. Refused while it is running or in error, or holds a position.',
  example: { path: { id: EXAMPLE.blueprintId }, response: { deleted: true } },
  input: BlueprintId,
  output: z.object({ deleted: z.boolean() }),
  resolve: async ({ ctx, input }) => {
    await deleteBlueprint(ctx.work, input.id);
    return { deleted: true };
  },
});

import { z } from 'zod';
import { deleteBlueprint } from '../../engine/blueprints/delete.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';
import { BlueprintId } from './schemas.ts';

export const remove = procedure({ scope: 'blueprints:write' })
  .meta(
    route({
      method: 'DELETE',
      path: '/api/blueprints/{id}',
      tag: 'Blueprints',
      summary: 'Delete a blueprint',
      description:
        'It answers 404 afterwards; its orders stay. Refused while it is running or in error, or holds a position.',
      example: { response: { deleted: true } },
    }),
  )
  .input(BlueprintId)
  .output(z.object({ deleted: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    await deleteBlueprint(ctx.work, input.id);
    return { deleted: true };
  });

import { updateBlueprint } from '../../engine/blueprints/update.ts';
import { replyEtag, reviewedVersion } from '../etag.ts';
import { BLUEPRINT_EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { procedure } from '../trpc.ts';
import { BlueprintId, BlueprintView, Name, Visual, viewBlueprint } from './schemas.ts';

export const update = procedure({ scope: 'blueprints:write' })
  .meta(
    route({
      method: 'PUT',
      path: '/api/blueprints/{id}',
      tag: 'Blueprints',
      summary: 'Update a blueprint',
      description:
        'Renames a blueprint or replaces its drawing; an absent field keeps its value. A running blueprint must be stopped first.',
      example: { request: { name: 'Dip buyer' }, response: BLUEPRINT_EXAMPLE },
    }),
  )
  .input(BlueprintId.extend({ name: Name.optional(), visual: Visual.optional() }))
  .output(BlueprintView)
  .mutation(async ({ ctx, input: { id, ...edit } }) => {
    const row = await updateBlueprint(ctx.work, id, edit, reviewedVersion(ctx));
    replyEtag(ctx, row.version);
    return viewBlueprint(row);
  });
